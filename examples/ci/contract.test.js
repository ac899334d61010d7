// What the workflow does with the server, on your machine: npm test.
import { deepEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';

import { runContract } from 'specmill/contract';

const port = process.env.PORT ?? '3000';
const server = spawn(process.execPath, ['server.js'], { env: { ...process.env, PORT: port }, stdio: 'inherit' });
after(() => server.kill());

await test('the server does what its spec says', async () => {
  const headers = { authorization: 'Bearer ci' };
  const report = await runContract({ api: 'parcels', url: `http://127.0.0.1:${port}/v1`, headers, wait: '30s' });
  deepEqual(report.findings, []);
});
