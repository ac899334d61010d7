import { expect, onTestFinished, test, vi } from 'vitest';

import { documentWith } from '../support/load-document.js';
import { loadFiles } from '../support/spec-folder.js';

test('without an option, a spec may have 1,000 documents', async () => {
  const names = Array.from({ length: 1_010 }, (_, index) => `leaf${index}.json`);
  const schemas = Object.fromEntries(names.map((name, index) => [`S${index}`, { $ref: `./${name}` }]));
  const leaves = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const { diagnostics } = await loadFiles({ 'spec.json': documentWith({}, { components: { schemas } }), ...leaves });
  const refused = diagnostics.filter(({ message }) => message.includes('the spec has more than 1000 documents'));
  expect([diagnostics.length, refused.length]).toEqual([11, 11]);
});

const FILES = {
  'spec.json': documentWith({}, { components: { schemas: { S: { $ref: './leaf.json' } } } }),
  'leaf.json': { type: 'string' },
};
const LEAF = Buffer.byteLength(JSON.stringify(FILES['leaf.json']));

test.each([
  [0, 0],
  [1, 1],
])('without an option, the documents of a spec may have 256 MB: %d bytes more', async (more, refusals) => {
  // Only the spec is measured as a text.
  const spy = vi.spyOn(Buffer, 'byteLength').mockReturnValue(256 * 1_024 * 1_024 - LEAF + more);
  onTestFinished(() => spy.mockRestore());
  const { diagnostics } = await loadFiles(FILES);
  const refused = diagnostics.filter(({ message }) => message.includes('have more than 268435456 bytes'));
  expect([diagnostics.length, refused.length]).toEqual([refusals, refusals]);
});

test.each([
  [300_000, 0],
  [300_001, 1],
])('without an option, the documents of a spec may take 5 minutes: %d ms', async (passed, refusals) => {
  const spy = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(passed);
  onTestFinished(() => spy.mockRestore());
  const { diagnostics } = await loadFiles(FILES);
  const refused = diagnostics.filter(({ message }) => message.includes('were not read in 300 s'));
  expect([diagnostics.length, refused.length]).toEqual([refusals, refusals]);
});
