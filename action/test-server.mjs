import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { annotate, folder, readInput, readLines, setOutput, specmill } from './runner.mjs';

/** Tests a server against its spec, with annotations and the summary of the job. Gives whether there is no finding. */
export async function testServer() {
  const api = readInput('contract');
  if (api === '') return true;
  const url = readInput('server-url');
  if (url === '') throw new Error('The input contract needs the input server-url.');
  const stop = startServer(readInput('start'));
  try {
    const json = path.join(process.env['RUNNER_TEMP'] ?? '.', 'specmill-contract.json');
    const header = readInput('header');
    const { status } = await specmill([
      ...['contract', api, '--url', url, '--wait', '60s', '--report', 'github', '--report', `json=${json}`],
      ...(header === '' ? [] : ['--header', header]),
      ...readLines('contract-options'),
    ]);
    if (existsSync(json)) setOutput('findings', JSON.parse(readFileSync(json, 'utf8')).findings.length);
    if (status > 1) annotate('error', 'The contract run did not test the server: the log says why.');
    return status === 0;
  } finally {
    stop();
  }
}

/** Starts the command of the user in a shell, as a step does, and gives a function that ends it with all that it started. */
function startServer(command) {
  if (command === '') return () => {};
  const isWindows = process.platform === 'win32';
  const child = spawn(command, {
    cwd: folder,
    shell: true,
    detached: !isWindows,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return () => {
    try {
      if (isWindows || child.pid === undefined) child.kill();
      else process.kill(-child.pid);
    } catch {
      // It has ended by itself, and the contract run has said so.
    }
  };
}
