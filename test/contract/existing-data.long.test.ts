import { expect, it } from 'vitest';

import { ALL, harmOf, noHarm } from './existing-data-runs.js';

it.each(ALL.flatMap((style) => [2, 3].map((seed) => [style.title, seed, style] as const)))(
  'data from before the run stays as it was on a server with %s, with seed %i',
  async (_title, seed, style) => expect(await harmOf(style, seed)).toEqual(noHarm(style)),
);
