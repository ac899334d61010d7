import { getOrInsert } from '../model/maps.js';
import type { Api } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { generateValue } from './generate-value.js';

/** So many samples of a schema are made: enough that things differ, few enough that none has to be made for each thing. */
const POOL = 4;

const pools = new WeakMap<Api, Map<Schema, Map<number, { readonly value: unknown } | undefined>>>();

/** A valid value of a schema, one of a few; the same seed gives the same. `undefined`: none was found. */
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
