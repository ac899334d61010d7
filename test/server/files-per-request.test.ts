import { expect, it } from 'vitest';

import { findFilesOfPost, MOST_FILES } from '../../bench/files-per-request.js';

it('a POST to the mock of a spec passes through at most 60 files of the build', async () => {
  const files = await findFilesOfPost();
  expect(files).toContain('server/pipeline/create-pipeline.js');
  expect(MOST_FILES).toBe(60);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST_FILES);
});
