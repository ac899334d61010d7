import { describe, expect, it } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { STYLES, type Style, type Tables, loadStyle, serveStyle } from './existing-data-servers.js';
import { SHAPES } from './existing-data-shapes.js';

const ALL = [...STYLES, ...SHAPES];

/** Things have no deletion that is known as one; a careless procedure moves rooms to the id `undefined`. */
const CANNOT = /^(?:no operation that the run may call deletes it|moveRoom may have changed its id to undefined)$/;

interface Outcome {
  /** The rows from before the run, as they are after it. */
  readonly kept: Tables;
  /** The number of rows that were not there before. */
  readonly added: number;
  readonly report: Awaited<ReturnType<typeof runContract>>;
}

async function run(style: Style, options: object = {}): Promise<Outcome> {
  const tables = style.data();
  const api = await loadStyle(style);
  const report = await runContract({ api, url: 'http://127.0.0.1:9', fetch: serveStyle(style, tables), ...options });
  const before = style.data();
  const kept = Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.slice(0, before[name]?.length)]),
  );
  const count = (all: Tables): number => Object.values(all).flat().length;
  return { kept, added: count(tables) - count(kept), report };
}

describe('data from before the run', () => {
  const cases = ALL.flatMap((style) => [1, 2, 3].map((seed) => [style.title, seed, style] as const));

  it.each(cases)('stays as it was on a server with %s, with seed %i', async (_title, seed, style) => {
    const { kept, added, report } = await run(style, { seed });
    expect(kept).toEqual(style.data());
    // What the run made is deleted, or named.
    expect(added).toBe(report.notDeleted.length);
    const reasons = report.notDeleted.map(({ reason }) => reason);
    expect(reasons.filter((reason) => !CANNOT.test(reason))).toEqual([]);
    expect(report.changed).toEqual([]);
    expect(report.requests).toBeGreaterThan(10);
  });

  it.each(ALL.map((style) => [style.title, style] as const))(
    'is changed by --touch-existing on a server with %s, and the report says by which requests',
    async (_title, style) => {
      const { kept, report } = await run(style, { seed: 1, touchExisting: true });
      expect(kept).not.toEqual(style.data());
      expect(report.changed).not.toEqual([]);
    },
  );
});

describe('operations that may change data from before the run', () => {
  it.each([
    [0, ['replaceTodos', 'updateTodos', 'clearTodos']],
    [1, ['purgeRooms']],
    [2, ['compact', 'authDisable', 'deleteRange']],
    [3, ['deleteContacts', 'mergeContacts']],
    [4, ['resetSettings', 'putBanner', 'restartServer']],
    [5, ['deleteAllUsers']],
  ])('are not sent, and the report says why (style %i)', async (index, operations) => {
    const { report } = await run(STYLES[index] ?? STYLES[0]!, { seed: 1 });
    for (const operationId of operations)
      expect(report.reach.reasons).toHaveProperty(
        operationId,
        'it may change items that were there before; --touch-existing',
      );
  });
});
