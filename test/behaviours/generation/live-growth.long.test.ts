import { afterEach, beforeEach, expect, test } from 'vitest';

import { growthOf, LINEAR } from '../../support/growth.js';
import { LiveMock } from './live-client.js';

let live: LiveMock;
beforeEach(async () => {
  live = await LiveMock.start();
});
afterEach(() => live[Symbol.asyncDispose]());

test.each<[string, (index: number) => object]>([
  [
    'turns that are not complete',
    (index) => ({ clientContent: { turns: [{ role: 'user', parts: [{ text: `${index}` }] }] } }),
  ],
  ['pieces of audio', () => ({ realtimeInput: { audio: { mimeType: 'audio/pcm', data: 'AAAA' } } })],
  [
    'complete turns, each of which interrupts',
    () => ({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'x' }] }], turnComplete: true } }),
  ],
])('the work for short messages of a live session is linear: %s', async (_what, make) => {
  const work = async (size: number): Promise<void> => {
    const client = await live.begin();
    await client.send(...Array.from({ length: size }, (_, index) => make(index)));
    // The last one is wrong, so its close shows that all others were handled.
    await client.send('{');
    const seen = await client.until(() => false);
    expect(seen.at(-1)?.code).toBe(1007);
  };
  expect(await growthOf(work, 250)).toBeLessThan(LINEAR);
});

test('the work for turns of a session that is stored and may be compressed is linear', async () => {
  const work = async (size: number): Promise<void> => {
    const client = await live.begin({ sessionResumption: {}, contextWindowCompression: {} });
    for (let turn = 0; turn < size; turn += 1) {
      await client.send({ realtimeInput: { text: 'x' } });
      await client.turn();
    }
  };
  expect(await growthOf(work, 150)).toBeLessThan(LINEAR);
});
