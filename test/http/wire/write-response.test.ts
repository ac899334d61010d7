import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it, onTestFinished } from 'vitest';

import { writeResponse } from '../../../http/wire/write-response.js';

it('writing to a slow reader leaves no listeners on the response', async () => {
  const counts: number[] = [];
  const server = createServer((request, response) => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 30; count += 1) {
        counts.push(response.listenerCount('close') + response.listenerCount('drain'));
        yield Buffer.alloc(256 * 1_024);
      }
    }
    void writeResponse({ status: 200, headers: {}, body: { kind: 'stream', chunks: chunks() } }, request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const [response] = (await once(get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), 'response')) as [
    IncomingMessage,
  ];
  let size = 0;
  for await (const chunk of response) size += (chunk as Uint8Array).length;
  expect(size).toBe(30 * 256 * 1_024);
  expect(Math.max(...counts)).toBe(counts[0]);
});
