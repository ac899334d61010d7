import { expect, test } from 'vitest';

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
