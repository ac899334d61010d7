import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { runContract } from '../entry/contract.js';
import { startMock, startProxy } from '../entry/mock.js';
import { busyTime } from '../test/fuzz/busy-time.js';
import { type CreateTestClient, emitClient } from '../test/support/emit-client.js';
import { loadFormatsApi } from '../test/support/formats-spec.js';
import { attackText, HOSTILE_FORMATS, type HostileFormat } from '../test/support/hostile-formats.js';
import { OutputFolder } from '../test/support/output-folder.js';
import type { Figure } from './measure.js';

/** Just below a megabyte, whatever the repeated texts are. */
const SIZE = 800_000;
const MOST = 100;
/** What takes longer is repeated, and the shortest time counts. */
const REPEATS = 4;

type Send = (text: string, mediaType: string) => Promise<unknown>;

/** Measures the longest turn of the event loop until it is stopped, in milliseconds of processor time. */
function watchTurns(): () => number {
  let [longest, last] = [0, busyTime()];
  let next: NodeJS.Immediate;
  const turn = (): void => {
    const now = busyTime();
    longest = Math.max(longest, now - last);
    last = now;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  return () => {
    clearImmediate(next);
    return Math.max(longest, busyTime() - last);
  };
}

/**
 * Sends each attack on each format to a mock and a proxy, lets a server respond with it to a proxy, a contract run and a
 * generated client, and shows the slowest.
 */
export async function benchHostileFormats(): Promise<readonly Figure[]> {
  const api = await loadFormatsApi();
  let [sent, sentType] = ['', ''];
  const server = createServer((request, response) => {
    request.resume();
    if (sent === '') response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    else response.writeHead(200, { 'content-type': sentType }).end(sent);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using mock = await startMock(api, { port: 0 });
  await using proxy = await startProxy(api, { upstream });
  using output = new OutputFolder();
  const receive =
    (call: () => Promise<unknown>): Send =>
    async (text, type) => {
      [sent, sentType] = [text, type];
      await call();
      [sent, sentType] = ['', ''];
    };
  const ways: Readonly<Record<string, Send>> = {
    'request to a mock': (text, type) => post(mock.fetch, 'http://mock', [text, type]),
    'request to a proxy': (text, type) => post(fetch, proxy.url, [text, type]),
    'response to a proxy': receive(() => post(fetch, proxy.url, ['{}', 'application/json'])),
    'response to a contract run': receive(() => runContract({ api, url: upstream, phases: ['examples'] })),
    'response to a client': receive(createReader(await emitClient(api, output), upstream)),
  };
  const figures: Figure[] = [];
  for (const format of HOSTILE_FORMATS)
    for (const [way, send] of Object.entries(ways)) figures.push(await measure(format, way, send));
  server.close();
  return figures;
}

async function post(send: typeof fetch, url: string, [body, type]: readonly [string, string]): Promise<void> {
  const response = await send(`${url}/formats`, { method: 'POST', headers: { 'content-type': type }, body });
  await response.arrayBuffer();
}

/** Returns a call of a generated client that reads and checks the whole response. */
function createReader(createClient: CreateTestClient, baseUrl: string): () => Promise<unknown> {
  const client = createClient({ baseUrl, validate: true });
  return async () => {
    try {
      const response = await client['sendFormat']?.({ body: {}, contentType: 'application/json' });
      if (isIterable(response?.data)) for await (const item of response.data) void item;
    } catch {
      // Most attacks are refused.
    }
  };
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function measure({ name, mediaType, attacks }: HostileFormat, way: string, send: Send): Promise<Figure> {
  let worst = { took: 0, what: '' };
  for (const [what, attack] of Object.entries(attacks)) {
    const text = attackText(attack, SIZE);
    let took = Infinity;
    for (let repeat = 0; repeat <= REPEATS && took > MOST; repeat += 1) {
      const stop = watchTurns();
      await send(text, mediaType);
      took = Math.min(took, stop());
    }
    if (took > worst.took) worst = { took, what };
  }
  return {
    what: `${name}: longest ${way}`,
    value: `${Math.round(worst.took)} ms`,
    bound: `< ${MOST} ms`,
    within: worst.took < MOST,
    note: worst.what,
  };
}
