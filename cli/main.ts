#!/usr/bin/env node
import { OLDEST_NODE, isNodeTooOld } from './node-version.js';

// Not an error: a reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

if (isNodeTooOld(process.versions.node)) {
  process.stderr.write(`specmill: Node ${process.versions.node} is too old: install Node ${OLDEST_NODE} or later.\n`);
  process.exitCode = 2;
} else {
  // Loaded after the check, because the modules use features that older versions of Node lack.
  const { runCli } = await import('./run-cli.js');
  process.exitCode = await runCli(process.argv.slice(2), {
    cwd: process.cwd(),
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
    stopSignal: listenForStop,
    onWriteSignal: (write) => {
      // Windows has no such signal.
      if (process.platform !== 'win32') process.on('SIGUSR2', write);
    },
  });
}

function listenForStop(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
