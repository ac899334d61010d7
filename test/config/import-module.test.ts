import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { expect, it, onTestFinished, vi } from 'vitest';

import { importModule } from '../../config/import-module.js';
import { tempFolder } from '../support/temp-folder.js';

it('runs no code of a shared temporary folder, and leaves none there', async () => {
  const shared = tempFolder({});
  mkdirSync(path.join(shared, 'jiti'));
  // The next file of tests may make folders before its first test.
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, shared);
  const folder = tempFolder({ 'specmill.config.ts': 'const seen: string = "own";\nexport default { seen };\n' });
  const kind = { subject: 'The configuration', virtualModules: {} };
  const loaded = await importModule(path.join(folder, 'specmill.config.ts'), kind);
  expect(loaded).toMatchObject({ default: { seen: 'own' } });
  expect(readdirSync(path.join(shared, 'jiti'))).toEqual([]);
});
