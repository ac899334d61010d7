import Module, { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { PrismHttpComponents } from '@stoplight/prism-http';

/** Prism's mocker: selects a response of an operation. */
export type PrismMock = PrismHttpComponents['mock'];

const MOCKER = '@stoplight/prism-http/dist/mocker/index.js';
/** The modules of the mocker. They are loaded in pieces, so that other requests are handled between them. */
const PIECES: readonly string[] = [
  'lodash',
  'ajv',
  'js-yaml',
  'json-schema-faker',
  '../validator/validators/body.js',
  'node-fetch',
  '@stoplight/json',
  './callback/callbacks.js',
];

let loading: Promise<PrismMock> | undefined;

/** Loads Prism's mocker, once. It takes 0.2 seconds and some 40 MB, so this is done when a response is first needed of it. */
export function loadPrismMock(): Promise<PrismMock> {
  loading ??= load();
  return loading;
}

async function load(): Promise<PrismMock> {
  const ours = createRequire(import.meta.url);
  const prisms = createRequire(ours.resolve(MOCKER));
  for (const piece of PIECES) {
    withoutFaker(prisms, () => tryRequire(prisms, piece));
    await nextTurn();
  }
  const mock = withoutFaker(prisms, () => (ours(MOCKER) as { readonly default: PrismMock }).default);
  await nextTurn();
  return mock;
}

/** Only when it is loaded changes by this: where a release of Prism has no such piece, it loads with the rest. */
function tryRequire(load: NodeJS.Require, name: string): void {
  try {
    load(name);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
  }
}

/**
 * Prism's random generator never runs here, and the 1,900 files of the words that it would use are three quarters of the
 * time and of the memory. So the generator finds an empty module, which no other importer gets to see.
 */
function withoutFaker<T>(prisms: NodeJS.Require, load: () => T): T {
  const file = prisms.resolve('@faker-js/faker');
  if (prisms.cache[file] !== undefined) return load();
  const empty = new Module(file);
  empty.loaded = true;
  prisms.cache[file] = empty;
  try {
    return load();
  } finally {
    delete prisms.cache[file];
  }
}
