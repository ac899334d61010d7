import { expect, it, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';

test.each(['1 day', '24h', 'P'])(
  'the error for advancing the clock by %j shows the format of durations',
  async (advance) => {
    await using mock = await startMock('dictionary');
    await expect(mock.clock.advance(advance)).rejects.toThrow('a duration of ISO 8601, such as PT90S, PT24H or P1D');
  },
);

it('the message names the kinds of source that a mock can be started from', async () => {
  const start = startMock as (source?: unknown) => Promise<unknown>;
  await expect(start()).rejects.toThrow('A mock needs the name of an API');
});
