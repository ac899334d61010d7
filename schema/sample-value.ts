import { getOrInsert } from '../model/maps.js';
import type { Api } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { generateValue } from './generate-value.js';

/** How many samples of a schema are generated: enough for variety, few enough that they are reused. */
const POOL = 4;

const pools = new WeakMap<Api, Map<Schema, Map<number, { readonly value: unknown } | undefined>>>();

/** Returns one of a few valid values of a schema, the same for the same seed; `undefined` if none was found. */
export function sampleValue(api: Api, schema: Schema, seed: number): { readonly value: unknown } | undefined {
  const schemas = getOrInsert(
    pools,
    api,
    () => new Map<Schema, Map<number, { readonly value: unknown } | undefined>>(),
  );
  const samples = getOrInsert(schemas, schema, () => new Map<number, { readonly value: unknown } | undefined>());
  const place = seed % POOL;
  return getOrInsert(samples, place, () => {
    const made = generateValue(api, schema, { direction: 'response', seed: place + 1, variant: 'full' });
    return made.ok ? { value: made.value } : undefined;
  });
}
