import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

describe('specmill init', () => {
  it('writes a project that generates, strictly', async () => {
    const folder = tempFolder();
    expect((await runCaptured(folder, 'init')).status).toBe(0);
    const run = await runCaptured(folder, 'generate', '--strict');
    expect(run.err).toBe('');
    expect(run.status).toBe(0);
    expect((await runCaptured(folder, 'generate', '--check')).status).toBe(0);
  });

  it.each(['specmill.config.ts', 'specmill.config.yaml', 'specs/tasks/openapi.yaml'])(
    'overwrites no %s',
    async (file) => {
      const folder = tempFolder({ [file]: 'mine' });
      const run = await runCaptured(folder, 'init');
      expect(run.status).toBe(2);
      expect(run.err).toContain(file);
      expect(readFileSync(path.join(folder, file), 'utf8')).toBe('mine');
    },
  );
});
