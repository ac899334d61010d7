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

/** How many items a list has (1 kB and 100 kB), and how often the processor time of a proxy that checks nothing it may take. */
const COSTS: readonly (readonly [items: number, size: string, bound: number])[] = [
  [20, '1 kB', 3],
  [2_000, '100 kB', 2],
];
/** Requests whose processor time is measured at once. */
const MEASURED_REQUESTS = 2_000;

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
    const figures: Figure[] = await benchCosts(server.port, proxy, rounds);
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

/** The processor time of an exchange, beside that of a proxy that checks nothing, in turn. */
async function benchCosts(upstream: number, proxy: Program, rounds: number): Promise<Figure[]> {
  const plain = await startProgram(
    [path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs'), path.join(here, 'plain-proxy.ts'), String(upstream)],
    Number,
  );
  try {
    const figures: Figure[] = [];
    for (const [items, size, bound] of COSTS) {
      const target = `/items?limit=${items}`;
      for (const { port } of [plain, proxy]) await drive(port, target, { requests: WARM_UP });
      const ratios: number[] = [];
      const times: (readonly [plain: number, checked: number])[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const [unchecked, checked] = [await costOf(plain, target), await costOf(proxy, target)];
        times.push([unchecked, checked]);
        ratios.push(checked / unchecked);
      }
      const [unchecked, checked] = [median(times.map(([one]) => one)), median(times.map(([, one]) => one))];
      figures.push({
        what: `exchange of ${size} that repeats the last response, processor time beside a proxy that checks nothing`,
        value: `${median(ratios).toFixed(2)} (${checked.toFixed(0)} µs / ${unchecked.toFixed(0)} µs)`,
        bound: `at most ${bound}`,
        within: median(ratios) <= bound,
      });
    }
    return figures;
  } finally {
    plain.kill();
  }
}

/** The processor time of one request, in µs. */
async function costOf(program: Program, target: string): Promise<number> {
  const before = await program.cpuTime();
  await drive(program.port, target, { requests: MEASURED_REQUESTS });
  return ((await program.cpuTime()) - before) / MEASURED_REQUESTS;
}

function readProxyPort(line: string): number {
  const { proxy } = JSON.parse(line) as { readonly proxy: { readonly url: string } };
  return Number(new URL(proxy.url).port);
}

/** Run in a program before anything else: says its processor time, when it is asked. */
const TELLER = `process.on('message', () => { const { user, system } = process.cpuUsage(); process.send(user + system); });
process.channel.unref();`;

interface Program {
  readonly port: number;
  /** The processor time that it has taken so far, in µs. */
  readonly cpuTime: () => Promise<number>;
  readonly kill: () => void;
}

/** Starts a program that prints where it serves in its first line. */
async function startProgram(args: readonly string[], readPort: (line: string) => number): Promise<Program> {
  const preload = `--import=data:text/javascript,${encodeURIComponent(TELLER)}`;
  const child = spawn(process.execPath, [preload, ...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`${args[0]} did not start.`)));
  const { stdout } = child;
  if (stdout === null) throw new Error(`${args[0]} has no output.`);
  const [line] = (await Promise.race([once(createInterface({ input: stdout }), 'line'), exited])) as [string];
  exited.catch(() => undefined);
  const cpuTime = async (): Promise<number> => {
    const message = once(child, 'message');
    child.send('time');
    return Number((await message)[0]);
  };
  return { port: readPort(line), cpuTime, kill: () => void child.kill('SIGKILL') };
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
