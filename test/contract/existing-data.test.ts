import { describe, expect, it } from 'vitest';

import { harmOf, noHarm, run } from './existing-data-runs.js';
import { STYLES } from './existing-data-servers.js';

// All styles, more shapes, and more seeds: existing-data.long.test.ts.
describe('data from before the run, on a server with names that callers choose as ids', () => {
  const style = STYLES[1]!;

  it('stays as it was', async () => expect(await harmOf(style, 1)).toEqual(noHarm(style)));

  it('is changed by --touch-existing, and the report says by which requests', async () => {
    const { kept, report } = await run(style, { seed: 1, touchExisting: true, maxExamples: 3 });
    expect(kept).not.toEqual(style.data());
    expect(report.changed).not.toEqual([]);
  });
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
    const { report } = await run(STYLES[index] ?? STYLES[0]!, { seed: 1, phases: ['examples'] });
    for (const operationId of operations)
      expect(report.reach.reasons).toHaveProperty(
        operationId,
        'it may change items that were there before; --touch-existing',
      );
  });
});
