import type { Api } from '../model/api.js';
import { toExactNumber } from '../runtime/json-integers.js';
import { splitPointer } from '../model/document/pointer.js';
import { isRecord } from '../model/document/records.js';
import { type Schema, refTo } from '../model/schema-types.js';
import { type ValidationError, compileValidator } from './compile-validator.js';
import { applicableParts } from './facts/parts.js';
import { hasAt, removeAt, setAt, takeAt } from './value-path.js';
import { hashText } from './sample/random.js';
import { sampleValue } from './sample-value.js';

/** Maximum number of repairs before a generated value is used instead. */
const MAX_ROUNDS = 16;

/**
 * Makes a value fit the schema of a response and keeps as much of it as possible: adds generated values for missing
 * members and removes what is not allowed. Returns a valid value unchanged.
 *
 * @param seed - a number or text; the same seed adds the same values.
 */
export function repairValue(api: Api, schema: Schema, value: unknown, seed: number | string): unknown {
  const validate = compileValidator(api, schema, { direction: 'response' });
  if (validate(value).length === 0) return value;
  const branch = findBranch(schema, value, api);
  if (branch !== undefined) {
    const fitted = mend(api, branch, value, seed);
    if (validate(fitted).length === 0) return fitted;
  }
  return mend(api, schema, value, seed);
}

/** The branch that the discriminator of a value names. */
function findBranch(schema: Schema, value: unknown, api: Api): Schema | undefined {
  if (!isRecord(value)) return undefined;
  for (const { discriminator } of applicableParts(schema, api)) {
    const kind = discriminator === undefined ? undefined : value[discriminator.propertyName];
    if (typeof kind !== 'string' || discriminator === undefined || !Object.hasOwn(discriminator.mapping, kind))
      continue;
    const name = discriminator.mapping[kind];
    if (name !== undefined) return { $ref: refTo(name) };
  }
  return undefined;
}

function mend(api: Api, schema: Schema, value: unknown, seed: number | string): unknown {
  const validate = compileValidator(api, schema, { direction: 'response' });
  const sample = sampleValue(api, schema, typeof seed === 'string' ? hashText(seed) >>> 0 : seed);
  if (sample === undefined) return value;
  const tries = new Map<string, number>();
  let mended = value;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const errors = validate(mended);
    if (errors.length === 0) return mended;
    for (const error of errors) mended = applyMove(mended, error, { sample: sample.value, tries });
  }
  return validate(mended).length === 0
    ? mended
    : keepMembers(mended, sample.value, (one) => validate(one).length === 0);
}

interface Mending {
  /** A valid value. */
  readonly sample: unknown;
  /** How often each place was repaired, because repeating a repair does not help. */
  readonly tries: Map<string, number>;
}

function applyMove(value: unknown, { pointer, keyword, params }: ValidationError, mending: Mending): unknown {
  const path = splitPointer(pointer);
  const missing = params['missingProperty'];
  if ((keyword === 'required' || keyword === 'dependentRequired') && typeof missing === 'string') {
    const place = [...path, missing];
    if (hasAt(value, place)) return value;
    if (hasAt(mending.sample, place)) return setAt(value, place, takeAt(mending.sample, place));
    return path.length === 0 ? value : replaceAt(value, path, mending);
  }
  const extra = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof extra === 'string') return removeAt(value, [...path, extra]);
  const read = keyword === 'type' && !mending.tries.has(path.join('/')) ? readNumber(takeAt(value, path)) : undefined;
  if (read !== undefined) {
    mending.tries.set(path.join('/'), 0);
    return setAt(value, path, read);
  }
  return path.length === 0 ? value : replaceAt(value, path, mending);
}

/** The number in a text such as `21.5`, or the text of a number: requests and responses may differ in the type. */
function readNumber(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && /^-?\d{1,300}(\.\d{1,300})?$/.test(value) ? toExactNumber(value) : undefined;
}

/** Tries to remove the value, then to use the sample's value, then the same one level up. */
function replaceAt(value: unknown, path: readonly string[], mending: Mending): unknown {
  const key = path.join('/');
  const count = mending.tries.get(key) ?? 0;
  mending.tries.set(key, count + 1);
  if (!hasAt(value, path)) return value;
  if (count === 0 && hasMemberParent(value, path)) return removeAt(value, path);
  if (count <= 1 && hasAt(mending.sample, path)) return setAt(value, path, takeAt(mending.sample, path));
  return path.length > 1 ? replaceAt(value, path.slice(0, -1), mending) : removeAt(value, path);
}

function hasMemberParent(value: unknown, path: readonly string[]): boolean {
  return isRecord(takeAt(value, path.slice(0, -1)));
}

/** Returns a valid value with as many members of another value as possible. */
function keepMembers(value: unknown, sample: unknown, isValid: (value: unknown) => boolean): unknown {
  if (!isRecord(value) || !isRecord(sample)) return sample;
  let kept: unknown = sample;
  for (const name of Object.keys(value)) {
    const changed = setAt(kept, [name], value[name]);
    if (isValid(changed)) kept = changed;
  }
  return kept;
}
