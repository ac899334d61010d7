import { expect, test, vi } from 'vitest';

import { startMock } from '../../entry/mock.js';
import { tempFolder } from '../support/temp-folder.js';

vi.mock('lmdb', () => {
  throw new Error(`No native build was found for platform=${process.platform} arch=${process.arch}`);
});

test('without the binary of the store, the message names the package that has it', async () => {
  const name = `@lmdb/lmdb-${process.platform}-${process.arch}`;
  await expect(startMock('generation', { port: 0, state: `${tempFolder()}/state` })).rejects.toThrow(
    `The option --state needs the package ${name}, which is not installed: npm install ${name}.`,
  );
});
