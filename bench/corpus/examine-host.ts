import { type ExamineOptions, type Examined, examine, toCause } from './examine.js';
import type { CorpusDocument } from './find-documents.js';

/** Runs in a process of its own, which is ended if a document takes too long. */
process.on('message', (job: Job) => {
  examine(job.document, job.options)
    .catch((error: unknown) => crashed(job.document.name, error))
    .then((examined) => process.send?.(examined))
    .catch((error: unknown) => {
      throw error;
    });
});

/** A document, and where its output is written. */
export interface Job {
  readonly document: CorpusDocument;
  readonly options: ExamineOptions;
}

function crashed(document: string, error: unknown): Examined {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const facts = { document, dialect: '', operations: 0, schemas: 0, diagnostics: {}, errors: 0, withoutFixture: [] };
  return { ...facts, faults: [{ room: 'crash', cause: toCause(detail.split('\n', 1)[0] ?? ''), detail }] };
}
