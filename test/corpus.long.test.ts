import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { printCauses } from '../bench/corpus/causes.js';
import { examineDocuments } from '../bench/corpus/examine-folder.js';
import { type CorpusDocument, findCollected, findDocuments } from '../bench/corpus/find-documents.js';
import { isClean } from '../bench/corpus/own-faults.js';

const SUITE = path.join(import.meta.dirname, '../../shared/suites/documents');
/** Documents of each kind; `npm run corpus` examines all. */
const SAMPLE = 75;

/** Documents from all parts of a list. */
function spread(documents: readonly CorpusDocument[]): CorpusDocument[] {
  const step = documents.length / SAMPLE;
  return Array.from(
    { length: Math.min(SAMPLE, documents.length) },
    (_, index) => documents[Math.floor(index * step)],
  ).filter((one) => one !== undefined);
}

/** What is wrong with a sample, as text: too many documents that are not clean, or one that crashes or does not end. */
async function findWrong(documents: readonly CorpusDocument[]): Promise<string> {
  const options = { maxTime: '2s', limit: 120, processes: availableParallelism() };
  const results = await examineDocuments(spread(documents), options);
  const hasEnded = results.every(({ faults }) => faults.every(({ room }) => room !== 'crash' && room !== 'limit'));
  const isEnough = results.filter(isClean).length >= 0.97 * results.length;
  return hasEnded && isEnough ? '' : printCauses(results);
}

const LIMIT = { timeout: 600_000 };

test('documents of npm packages are clean in all rooms', LIMIT, async () => {
  const documents = findCollected(60_000);
  expect(documents.length).toBeGreaterThanOrEqual(500);
  expect(await findWrong(documents)).toBe('');
});

test.skipIf(!existsSync(SUITE))('documents of the tests of other projects are clean', LIMIT, async () => {
  expect(await findWrong(findDocuments(SUITE))).toBe('');
});
