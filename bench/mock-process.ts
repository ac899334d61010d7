import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** A mock in its own process, as its users start it. */
export interface MockProcess {
  readonly url: string;
  readonly pid: number;
  /** The most resident memory that the process has ever had, in bytes. */
  readonly peakMemory: () => Promise<number>;
  readonly kill: () => void;
}

/** Run in the mock before anything else: says what it has taken at its peak, when it is asked. */
const TELLER = `import cluster from 'node:cluster';
if (cluster.isPrimary) {
  process.on('message', () => process.send(process.resourceUsage().maxRSS * 1024));
  process.channel.unref();
}`;

/** Starts `specmill mock` with arguments, on a free port, and waits until it serves. */
export async function startMockProcess(args: readonly string[]): Promise<MockProcess> {
  const main = path.join(import.meta.dirname, '../dist/cli/main.js');
  const preload = `--import=data:text/javascript,${encodeURIComponent(TELLER)}`;
  const child = spawn(process.execPath, [preload, main, 'mock', ...args, '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const { stdout } = child;
  if (stdout === null) throw new Error('The mock has no output.');
  const exited = once(child, 'exit').then(() => Promise.reject(new Error('The mock did not start.')));
  const [line] = (await Promise.race([once(createInterface({ input: stdout }), 'line'), exited])) as [string];
  exited.catch(() => undefined);
  const { mocks } = JSON.parse(line) as { readonly mocks: readonly { readonly url: string }[] };
  return {
    url: mocks[0]?.url ?? '',
    pid: child.pid ?? 0,
    peakMemory: async () => {
      const message = once(child, 'message');
      child.send('peak');
      return Number((await message)[0]);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
