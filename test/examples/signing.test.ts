import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

test('the example walks a case from draft to finished', async () => {
  const jiti = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [jiti, path.join(root, 'examples/signing/walk-a-case.ts')],
    { cwd: root },
  );
  expect(stdout.trim().split('\n')).toEqual([
    'created: Draft',
    'refused: caseIncomplete: The case cannot be sent without Documents.',
    'document added: Draft',
    'sent: Sent',
    'Ingrid has signed: Sent',
    'Marco has signed on paper: Signed',
    'sealed: Finished',
    'found: Lease of Harbour Street 12',
  ]);
});
