import path from 'node:path';

import { expect, test } from 'vitest';

import { compileFiles } from '../support/compile-types.js';
import { tempFolder } from '../support/temp-folder.js';

test('every output compiles with the library of ES2022, under the strictest flags and without Node', async () => {
  expect(await compileFiles(tempFolder({}), path.resolve('generated/**/*.ts'))).toBe('');
});
