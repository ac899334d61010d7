import { expect, test } from 'vitest';

import { InputError, SpecError, startMock } from '../../../entry/mock.js';
import { tempFolder } from '../../support/temp-folder.js';

const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;

test.each<[string, Record<string, string>]>([
  ['is nested too deeply', { 'engine.json': deep }],
  ['names a file outside of its folder', { 'engine.json': '{"data-source-files":["../../etc/passwd"]}' }],
  ['names an absolute file', { 'engine.json': '{"data-source-files":["/etc/passwd"]}' }],
  ['names a prototype where an object belongs', { 'engine.json': '{"entities":{"__proto__":1,"constructor":2}}' }],
  [
    'names more files than a configuration may have',
    {
      'engine.json': JSON.stringify({
        'data-source-files': Array.from({ length: 101 }, (_, index) => `${index}.json`),
      }),
      ...Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`${index}.json`, '{}'])),
    },
  ],
])('a configuration of the engine that %s is refused with an error of its input', async (_what, files) => {
  const started = startMock('engine', { engineConfig: 'engine.json', cwd: tempFolder(files) });
  const error: unknown = await started.then(
    async (mock) => mock.close(),
    (reason: unknown) => reason,
  );
  expect(error instanceof InputError || error instanceof SpecError, String(error)).toBe(true);
});
