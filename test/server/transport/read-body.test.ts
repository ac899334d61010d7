import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { afterAll, expect, test } from 'vitest';

import { SlowBodyGuard } from '../../../server/transport/slow-body-guard.js';
import { streamIncoming } from '../../../server/transport/node-request.js';

const watch = new SlowBodyGuard({ idle: 10_000, least: 1, grace: 10_000 });
afterAll(() => watch.close());

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('a body that is read as it arrives is not buffered: a large upload takes no more memory than a small one', async () => {
  const chunks: WeakRef<Uint8Array>[] = [];
  const source = function* (): Generator<Uint8Array> {
    for (let index = 0; index < 200; index += 1) {
      const chunk = new Uint8Array(1_024);
      chunks.push(new WeakRef(chunk));
      yield chunk;
    }
  };
  const request = Readable.from(source(), { highWaterMark: 1 }) as unknown as IncomingMessage;
  let received = 0;
  let kept = Number.NaN;
  for await (const chunk of streamIncoming(request, watch)) {
    received += chunk.length;
    if (received !== 150 * 1_024) continue;
    // What was deferred to the end of a turn is released with it.
    await turn();
    collect();
    kept = chunks.filter((one) => one.deref() !== undefined).length;
  }
  expect(received).toBe(200 * 1_024);
  expect(kept).toBeLessThan(20);
});
