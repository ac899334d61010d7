import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

test('the example talks to a model', async () => {
  const jiti = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [jiti, path.join(root, 'examples/generation/talk-to-a-model.ts')],
    { cwd: root },
  );
  expect(stdout.trim().split('\n')).toEqual([
    'text: You said: Is the harbour open (STOP)',
    'boats: 2, all long enough: true',
    'function: find_berth',
    'stream: 4 pieces: You said: Tell me about the tides of the whole week.',
    'upload: harbour.mp4 is ACTIVE',
    'film: You said: Which boats arrive? You sent: video/mp4.',
    'blocked: SAFETY',
    'refused: FAILED_PRECONDITION: Model models/sonata-1-flash is RETIRED and cannot be used.',
  ]);
});
