import { describe, expect, it } from 'vitest';

import { PUBLIC_APIS, specOf } from '../contract/public-apis.js';
import { sampleOf } from '../support/sample-of.js';
import { draftOfRun } from './record-run.js';

const TIMEOUT = 300_000;

interface OwnApi extends Omit<Parameters<typeof draftOfRun>[0], 'headers' | 'include'> {
  readonly name: string;
  /** The least share of called operations that the draft finds. */
  readonly least: number;
}

/** Threads of notifications come from others than the client. */
const notify: OwnApi['prepare'] = async (mock) => {
  for (const title of ['one', 'two'])
    await mock.actions['notify']?.({ owner: 'octo', repo: 'cat', title, type: 'Issue', reason: 'mention' });
};

const OWN: readonly OwnApi[] = [
  { name: 'tables', target: { api: 'tables' }, least: 1 },
  { name: 'signing', target: { api: 'signing' }, least: 1 },
  { name: 'generation', target: { api: 'generation' }, least: 1 },
  { name: 'dictionary', target: { api: 'dictionary' }, least: 1 },
  // Its spec has one path for all entities, a draft one for each: nothing in their traffic says that they are alike.
  { name: 'engine', target: { api: 'engine' }, kinds: ['entity', 'key'], least: 0.8 },
  { name: 'notifications', target: { api: 'notifications' }, prepare: notify, least: 1 },
  { name: 'rate-limits', target: { spec: 'specs/rate-limits/openapi.yaml' }, servedBy: 'notifications', least: 1 },
];

describe.each(sampleOf(OWN, 7))(
  'the draft of the recorded mock $name',
  ({ target, servedBy, prepare, kinds, least }) => {
    it(
      'has the operations that were called, no other one, and accepts all recorded bodies',
      { timeout: TIMEOUT },
      async () => {
        const compared = await draftOfRun({
          target,
          ...(servedBy && { servedBy }),
          ...(prepare && { prepare }),
          ...(kinds && { kinds }),
        });
        expect(compared).toMatchObject({ invented: [], refused: [], diagnostics: [] });
        const { called, notFound } = compared;
        expect(1 - notFound.length / called.length, notFound.join()).toBeGreaterThanOrEqual(least);
      },
    );
  },
);

describe.each(sampleOf(PUBLIC_APIS, 10))('the draft of the recorded mock of $name', (api) => {
  const spec = specOf(api);

  it.skipIf(spec === undefined)(
    'has most operations that were called, no other one, and accepts all recorded bodies',
    { timeout: TIMEOUT },
    async () => {
      const { headers, include } = api;
      const run = { target: { spec: spec ?? '' }, ...(headers && { headers }), ...(include && { include }) };
      const compared = await draftOfRun(run);
      expect(compared).toMatchObject({ invented: [], refused: [], diagnostics: [] });
      const { called, notFound } = compared;
      expect(1 - notFound.length / called.length, notFound.join()).toBeGreaterThanOrEqual(0.9);
    },
  );
});
