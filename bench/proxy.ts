import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { type Figure, median } from './measure.js';

const here = import.meta.dirname;
const root = path.join(here, '..');
const CONNECTIONS = 10;
/** Requests before any are counted: the compiler of the engine must have seen the code. */
const WARM_UP = 5_000;
/** Milliseconds. */
const MEASURED = 2_000;

/** How many items a list has, and what part of the rate without a proxy there must be with it. */
const LISTS: readonly (readonly [items: number, bound: number])[] = [
  [10, 0.14],
  [1_000, 0.18],
];

/** Requests a second through the proxy as a part of those without it, in turn. */
export async function benchProxy(rounds: number): Promise<Figure[]> {
  const server = await startProgram(
    [path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs'), path.join(here, 'list-server.ts')],
    Number,
  );
  const upstream = `http://127.0.0.1:${server.port}`;
  const main = path.join(root, 'dist/cli/main.js');
  const args = [
    main,
    'proxy',
    '--spec',
    path.join(here, 'lists.yaml'),
    '--upstream',
    upstream,
    '--port',
    '0',
    '--json',
  ];
  const proxy = await startProgram(args, (line) => readProxyPort(line));
  try {
    const figures: Figure[] = [];
    for (const [items, bound] of LISTS) {
      const target = `/items?limit=${items}`;
      await drive(proxy.port, target, { requests: WARM_UP });
      const rates: (readonly [direct: number, passed: number])[] = [];
      for (let round = 0; round < rounds; round += 1)
        rates.push([
          await drive(server.port, target, { milliseconds: MEASURED }),
          await drive(proxy.port, target, { milliseconds: MEASURED }),
        ]);
      const [direct, passed] = [median(rates.map(([one]) => one)), median(rates.map(([, one]) => one))];
      figures.push({
        what: `list of ${items} items`,
        value: `${(passed / direct).toFixed(3)} (${Math.round(passed)}/s / ${Math.round(direct)}/s)`,
        bound: `at least ${bound}`,
        within: passed / direct >= bound,
      });
    }
    return figures;
  } finally {
    server.kill();
    proxy.kill();
  }
}

function readProxyPort(line: string): number {
  const { proxy } = JSON.parse(line) as { readonly proxy: { readonly url: string } };
  return Number(new URL(proxy.url).port);
}

interface Program {
  readonly port: number;
  readonly kill: () => void;
}

/** Starts a program that prints where it serves in its first line. */
async function startProgram(args: readonly string[], readPort: (line: string) => number): Promise<Program> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`${args[0]} did not start.`)));
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])) as [string];
  exited.catch(() => undefined);
  return { port: readPort(line), kill: () => void child.kill('SIGKILL') };
}

/** How long requests are sent. */
type Duration = { readonly milliseconds: number } | { readonly requests: number };

/** Requests a second, over plain sockets: an HTTP client would take more of the machine than what is measured. */
async function drive(port: number, target: string, duration: Duration): Promise<number> {
  const begun = performance.now();
  let count = 0;
  const isOver = (): boolean =>
    'requests' in duration ? count >= duration.requests : performance.now() - begun > duration.milliseconds;
  const onResponse = (): boolean => {
    count += 1;
    return !isOver();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => repeat(port, target, onResponse)));
  return (1_000 * count) / (performance.now() - begun);
}

/** Sends the same request over one connection, each after the response to the one before. */
function repeat(port: number, target: string, onResponse: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay();
    const request = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: application/json\r\n\r\n`;
    let head = '';
    let left: number | undefined;
    socket.on('data', (chunk) => {
      if (left === undefined) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        left = Number(/^content-length: (\d+)/im.exec(head)?.[1]) - (head.length - end - 4);
        if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head));
        head = '';
      } else left -= chunk.length;
      if (left > 0) return;
      left = undefined;
      if (onResponse()) socket.write(request);
      else socket.destroy();
    });
    socket
      .once('connect', () => socket.write(request))
      .once('error', reject)
      .once('close', () => resolve());
  });
}
