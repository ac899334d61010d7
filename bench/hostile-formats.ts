import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startMock, startProxy } from '../entry/mock.js';
import { busyTime } from '../test/fuzz/busy-time.js';
import { loadFormatsApi } from '../test/support/formats-spec.js';
import { attackText, HOSTILE_FORMATS, type HostileFormat } from '../test/support/hostile-formats.js';
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

/** Sends each attack on each format to a mock and a proxy, and lets a server respond with it, and shows the slowest. */
export async function benchHostileFormats(): Promise<readonly Figure[]> {
  const api = await loadFormatsApi();
  let [sent, sentType] = ['', ''];
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/formats?echo') response.writeHead(200, { 'content-type': sentType }).end(sent);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using mock = await startMock(api, { port: 0 });
  await using proxy = await startProxy(api, { upstream });
  const post =
    (send: typeof fetch, url: string): Send =>
    async (body, type) => {
      const response = await send(url, { method: 'POST', headers: { 'content-type': type }, body });
      await response.arrayBuffer();
    };
  const receive: Send = async (body, type) => {
    [sent, sentType] = [body, type];
    await post(fetch, `${proxy.url}/formats?echo`)('{}', 'application/json');
  };
  const ways: Readonly<Record<string, Send>> = {
    'request to a mock': post(mock.fetch, 'http://mock/formats'),
    'request to a proxy': post(fetch, `${proxy.url}/formats`),
    'response to a proxy': receive,
  };
  const figures: Figure[] = [];
  for (const format of HOSTILE_FORMATS)
    for (const [way, send] of Object.entries(ways)) figures.push(await measure(format, way, send));
  server.close();
  return figures;
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
