import Module, { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { PrismHttpComponents } from '@stoplight/prism-http';

/** Prism's mocker, which selects a response of an operation. */
export type PrismMock = PrismHttpComponents['mock'];

const MOCKER = '@stoplight/prism-http/dist/mocker/index.js';
/** The modules of the mocker, loaded one by one so that other requests are handled in between. */
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

/** Loads Prism's mocker once. Called on first need, because it takes 0.2 seconds and about 40 MB. */
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

/** Preloads a module. Ignores a missing one: if a release of Prism needs others, they load with the mocker. */
function tryRequire(load: NodeJS.Require, name: string): void {
  try {
    load(name);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
  }
}

/**
 * Hides Faker from Prism, whose random generator never runs here: its 1,900 files would take three quarters of the time
 * and memory. Prism gets an empty module instead, which no other importer sees.
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
