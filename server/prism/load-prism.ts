import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { PrismHttpComponents } from '@stoplight/prism-http';

import { packageRoot } from '../../model/package-info.js';

/** Prism's mocker, which selects a response of an operation. */
export type PrismMock = PrismHttpComponents['mock'];

/** The bundle that the build makes of Prism's mocker: bundle.ts. */
const BUNDLE = path.join(packageRoot, 'dist/prism/mocker.cjs');

/** What it is made of: for tests without a build. */
const SOURCE = '@stoplight/prism-http/dist/mocker/index.js';

let loading: Promise<PrismMock> | undefined;

/** Loads Prism's mocker once. Called on first need, because it takes 0.2 seconds and about 40 MB. */
export function loadPrismMock(): Promise<PrismMock> {
  loading ??= load();
  return loading;
}

/** Loads the pieces of the bundle one by one, so that other requests are handled in between. */
async function load(): Promise<PrismMock> {
  const load = createRequire(import.meta.url);
  const { pieces } = existsSync(BUNDLE)
    ? (load(BUNDLE) as { readonly pieces: readonly (() => unknown)[] })
    : { pieces: [() => load(SOURCE) as unknown] };
  let last: unknown;
  for (const piece of pieces) {
    await nextTurn();
    last = piece();
  }
  return (last as { readonly default: PrismMock }).default;
}
