import { describe, expect, it } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { sampleOf } from '../support/sample-of.js';

/** What the state of a mock may have more of after a run, as nothing in the API deletes it. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  // A token and an unfinished upload end by themselves.
  generation: ['authTokens', 'uploads'],
  // Policies of tables that are gone, and which datasets were shown their examples.
  tables: ['policies'],
  // The names of entities that were asked for.
  engine: ['entities'],
  // The times of the caller's own inbox.
  notifications: ['inboxes'],
  signing: [],
};

type State = Readonly<Record<string, readonly { readonly id: string }[]>>;

describe('the mock of one of our APIs', () => {
  it.each(sampleOf(Object.entries(LEFT), 2))(
    'has the same items before and after a run against %s',
    async (name, left) => {
      await using mock = await startMock(name, { noRateLimit: true });
      const state = async (): Promise<Record<string, string[]>> => {
        const response = await mock.fetch(`${mock.url}/__specmill/state`);
        const { collections } = (await response.json()) as { readonly collections: State };
        // `#…` are notes of the mock about itself.
        const own = Object.entries(collections).filter(([key]) => !key.startsWith('#') && !left.includes(key));
        // The mock of the engine gives rows of an entity with a slash in its name a Location that is not readable.
        const isReachable = (id: string): boolean => !id.includes('</');
        return Object.fromEntries(own.map(([key, items]) => [key, items.map(({ id }) => id).filter(isReachable)]));
      };
      const before = await state();
      const report = await runContract({ api: name, url: mock.url, fetch: mock.fetch, maxExamples: 5, maxTime: '5m' });
      expect(report.findings).toEqual([]);
      expect(report.notDeleted).toEqual([]);
      expect(await state()).toEqual(before);
      if (name !== 'notifications') expect(report.deleted).toBeGreaterThan(0);
    },
  );
});
