import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { addDuration, parseDuration } from '../../../model/duration.js';
import type { MockSandbox } from '../../../server/sandbox/mock-sandbox.js';
import type { HandlerContext } from '../../../server/handler-api.js';
import type { MockDefinition } from '../../../server/mock-definition.js';
import { testSandbox } from '../../support/sandbox-host.js';
import { LINEAR, growthOf } from '../../support/growth.js';

const START = Date.parse('2026-01-01T00:00:00Z');

/** A sandbox whose clock shows the start of 2026. Its job `note` notes each value and its time. */
async function notingSandbox(
  more: MockDefinition['jobs'] = {},
): Promise<{ sandbox: MockSandbox; context: HandlerContext; notes: string[] }> {
  const notes: string[] = [];
  const note = ({ clock }: HandlerContext, payload: string): void =>
    void notes.push(`${payload} ${(clock.now() - START) / 1000}`);
  const sandbox = testSandbox({ jobs: { note, ...more } });
  await sandbox.clock.freeze(true);
  await sandbox.clock.set(START);
  return { sandbox, notes, context: await sandbox.contextFor({ account: '' }) };
}

function seconds(count: number): { months: number; milliseconds: number } {
  return { months: 0, milliseconds: count * 1000 };
}

function expectRealTime(clock: MockSandbox['clock']): void {
  const before = Date.now();
  const now = clock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
}

describe('time', () => {
  it('the clock shows real time plus an offset, and keeps running', async () => {
    const { clock } = testSandbox();
    expectRealTime(clock);
    const began = Date.now();
    await clock.set(START);
    await wait(30);
    expect(clock.now() - START).toBeGreaterThanOrEqual(25);
    expect(clock.now() - START).toBeLessThanOrEqual(Date.now() - began);
    await clock.advance(seconds(60));
    expect(clock.now() - START).toBeGreaterThanOrEqual(60_000);
  });

  it('a frozen clock stays stopped after it is set or advanced, and continues from there', async () => {
    const { clock } = testSandbox();
    await clock.freeze(true);
    await clock.set(START);
    await wait(15);
    expect(clock.now()).toBe(START);
    await clock.advance(seconds(5));
    expect(clock.now()).toBe(START + 5000);
    await clock.freeze(false);
    await wait(15);
    expect(clock.now() - START).toBeGreaterThan(5000);
    expect(clock.now() - START).toBeLessThan(6000);
  });

  it('the clock refuses times that no Date can have', async () => {
    const { clock } = testSandbox();
    await expect(clock.advance(seconds(1e15))).rejects.toThrow('The time is out of range.');
    expectRealTime(clock);
  });

  it('the clock waits for no job after the year 9999', async () => {
    const { clock } = testSandbox();
    const end = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
    await clock.set(end + 1_000);
    expect(clock.now()).toBe(end);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    onTestFinished(() => timers.mockRestore());
    await clock.schedule({ id: '1', name: 'late', dueAt: end + 1, payload: undefined });
    await wait(30);
    expect(timers.mock.calls.length).toBeLessThan(3);
  });
});

describe('jobs', () => {
  it('jobs run in the order of their due times, each at its own time, before advance returns', async () => {
    const { sandbox, context, notes } = await notingSandbox();
    for (const [id, due] of [
      ['c', 30],
      ['a', 10],
      ['b', 20],
      ['later', 99],
      ['a2', 10],
    ] as const) {
      await context.clock.schedule({ id, name: 'note', dueAt: START + due * 1000, payload: id });
    }
    await sandbox.clock.advance(seconds(30));
    expect(notes).toEqual(['a 10', 'a2 10', 'b 20', 'c 30']);
    expect(sandbox.clock.now()).toBe(START + 30_000);
  });

  it('jobs may schedule further jobs, which run when they become due', async () => {
    const { sandbox, context, notes } = await notingSandbox({
      again: async ({ clock }: HandlerContext, left: number) => {
        await clock.schedule({ id: 'n', name: 'note', dueAt: clock.now(), payload: `left ${left}` });
        if (left > 0)
          await clock.schedule({ id: 'again', name: 'again', dueAt: clock.now() + 10_000, payload: left - 1 });
      },
    });
    await context.clock.schedule({ id: 'again', name: 'again', dueAt: START, payload: 9 });
    await sandbox.clock.set(START + 25_000);
    expect(notes).toEqual(['left 9 0', 'left 8 10', 'left 7 20']);
  });

  it('a job is replaced by one with the same id, and can be cancelled', async () => {
    const { sandbox, context, notes } = await notingSandbox();
    await context.clock.schedule({ id: 'a', name: 'note', dueAt: START + 1000, payload: 'old' });
    await context.clock.schedule({ id: 'a', name: 'note', dueAt: START + 2000, payload: 'new' });
    await context.clock.schedule({ id: 'b', name: 'note', dueAt: START + 2000, payload: 'b' });
    await context.clock.cancel('b');
    await sandbox.clock.advance(seconds(5));
    expect(notes).toEqual(['new 2']);
  });

  it('jobs run by themselves as time passes', async () => {
    const { sandbox, context, notes } = await notingSandbox();
    await context.clock.schedule({ id: 'a', name: 'note', dueAt: START + 40, payload: 'a' });
    await wait(60);
    expect(notes).toEqual([]);
    await sandbox.clock.freeze(false);
    await vi.waitFor(() => expect(notes).toHaveLength(1));
  });

  it('failed jobs are in the journal, and the others run', async () => {
    const { sandbox, context, notes } = await notingSandbox({
      fail: () => {
        throw new Error('broken');
      },
    });
    await context.clock.schedule({ id: 'x', name: 'fail', dueAt: START + 1, payload: null });
    await context.clock.schedule({ id: 'y', name: 'gone', dueAt: START + 2, payload: null });
    await context.clock.schedule({ id: 'z', name: 'note', dueAt: START + 3, payload: 'z' });
    await sandbox.clock.advance(seconds(1));
    expect(notes).toHaveLength(1);
    expect(sandbox.journal.entries({ violations: true }).map(({ status, path }) => [status, path])).toEqual([
      [500, '/__specmill/jobs/fail'],
      [500, '/__specmill/jobs/gone'],
    ]);
  });

  it('jobs belong to the account that scheduled them', async () => {
    const seen: string[] = [];
    const sandbox = testSandbox({
      stateBy: 'account',
      jobs: {
        look: async (context: HandlerContext) => void seen.push(String(await context.collection('a').get('1'))),
      },
    });
    for (const account of ['one', 'two']) {
      const context = await sandbox.contextFor({ account });
      await context.collection('a').put('1', account);
      await context.clock.schedule({ id: 'same', name: 'look', dueAt: context.clock.now() + 1000, payload: null });
    }
    await sandbox.clock.advance(seconds(2));
    expect(seen).toEqual(['one', 'two']);
  });

  it('jobs run in time linear in their number', async () => {
    const runAll = async (count: number): Promise<void> => {
      const { sandbox, context, notes } = await notingSandbox();
      for (let index = 0; index < count; index += 1) {
        const dueAt = START + ((index * 7919) % count) * 1000;
        await context.clock.schedule({ id: String(index), name: 'note', dueAt, payload: 'x' });
      }
      await sandbox.clock.advance(seconds(count));
      expect(notes).toHaveLength(count);
    };
    expect(await growthOf(runAll, 2_000)).toBeLessThan(LINEAR);
  });
});

describe('durations', () => {
  it.each([
    ['PT24H', '2026-01-02T00:00:00Z'],
    ['P1D', '2026-01-02T00:00:00Z'],
    ['P1W', '2026-01-08T00:00:00Z'],
    ['PT1.5S', '2026-01-01T00:00:01.500Z'],
    ['P1Y2M', '2027-03-01T00:00:00Z'],
    ['250ms', '2026-01-01T00:00:00.250Z'],
    ['90', '2026-01-01T00:00:00.090Z'],
    ['2d', '2026-01-03T00:00:00Z'],
  ])('the duration %s after the start of 2026 is right', (text, want) => {
    const duration = parseDuration(text);
    expect(duration && addDuration(START, duration)).toBe(Date.parse(want));
  });

  it('a month after the 31st is the last day of the next', () => {
    expect(addDuration(Date.parse('2026-01-31T12:00:00Z'), { months: 1, milliseconds: 0 })).toBe(
      Date.parse('2026-02-28T12:00:00Z'),
    );
  });

  it.each(['', 'P', 'PT', 'P1', '-P1D', '1 h', 'x', 'P1H', '1e9'])('%j is not a duration', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});
