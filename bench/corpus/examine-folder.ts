import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Examined, Fault } from './examine.js';
import { examineAll } from './examine-all.js';
import type { CorpusDocument } from './find-documents.js';
import { typeCheck } from './type-check.js';

export interface RoomOptions {
  /** The time of each contract run. */
  readonly maxTime: string;
  /** Random cases for an operation. Default: 3. */
  readonly maxExamples?: number;
  /** Seconds for one document. */
  readonly limit: number;
  readonly processes: number;
  readonly onExamined?: (examined: Examined) => void;
}

/** Takes documents through every room, each in its time, and type-checks all outputs. */
export async function examineDocuments(
  documents: readonly CorpusDocument[],
  { maxTime, maxExamples = 3, limit, processes, onExamined = () => {} }: RoomOptions,
): Promise<Examined[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-corpus-'));
  try {
    const outs = documents.map((_, index) => String(index));
    const jobs = documents.map((document, index) => {
      return { document, options: { out: path.join(folder, String(index)), maxTime, maxExamples } };
    });
    const results = await examineAll(jobs, { folder, processes, limit: limit * 1000, onExamined });
    const errors = typeCheck(
      folder,
      outs.filter((out) => existsSync(path.join(folder, out))),
    );
    return results.map((one, index) => {
      const found = (errors.get(String(index)) ?? []).map(toFault);
      return { ...one, faults: [...one.faults, ...found] };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function toFault(detail: string): Fault {
  return { room: 'types', cause: /TS\d+/.exec(detail)?.[0] ?? 'an error', detail };
}
