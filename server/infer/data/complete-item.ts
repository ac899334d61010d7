import type { Api } from '../../../model/api.js';
import { appendPointer, splitPointer } from '../../../model/document/pointer.js';
import { isRecord } from '../../../model/document/records.js';
import type { Schema, SchemaObject } from '../../../model/schema-types.js';
import { type ValidationError, compileValidator } from '../../../schema/compile-validator.js';
import { explainErrors } from '../../../schema/explain-errors.js';
import { type GeneratedValue, generateValue } from '../../../schema/generate-value.js';
import { repairValue } from '../../../schema/repair-value.js';
import { schemasAt } from '../../../schema/schema-places.js';
import { hasAt, setAt, takeAt } from '../../../schema/value-path.js';
import type { Item } from '../json-path.js';

/** How many items get values of their own: making one takes 0.15 ms. Further items repeat them, except for ids and addresses. */
const OWN_SAMPLES = 1_000;
/** How often members are added: an added object may lack members itself. */
const MAX_ROUNDS = 8;

/** A given item with the members that were made up, or the first thing that is wrong with it. */
export type CompletedItem =
  | { readonly ok: true; readonly item: Item }
  | { readonly ok: false; readonly pointer: string; readonly message: string };

/** Completes the items of one schema. */
export type CompleteItem = (item: Item, seed: number) => CompletedItem;

/**
 * Creates a function that makes up the required members that an item lacks. It never changes a given value: an item
 * with an invalid one is refused.
 */
export function createCompleteItem(api: Api, schema: Schema): CompleteItem {
  const validate = compileValidator(api, schema, { direction: 'response' });
  /** Ignores writeOnly members: the state has them, although responses never show them. */
  const isHidden = ({ pointer }: ValidationError): boolean =>
    schemasAt(schema, pointer, api).some((one) => one.writeOnly === true);
  const check = (item: unknown): readonly ValidationError[] => validate(item).filter((error) => !isHidden(error));
  const samples: GeneratedValue[] = [];
  let count = 0;
  const sampleFor = (seed: number): GeneratedValue => {
    count += 1;
    const known = count > OWN_SAMPLES ? samples[count % OWN_SAMPLES] : undefined;
    if (known !== undefined) return known;
    const made = generateValue(api, schema, { direction: 'response', seed });
    samples.push(made);
    return made;
  };
  return (given, seed) => {
    let errors = check(given);
    if (errors.length === 0) return { ok: true, item: given };
    const made = sampleFor(seed);
    let item: unknown = given;
    for (let round = 0; round < MAX_ROUNDS && made.ok && errors.some(isMissing); round += 1) {
      for (const error of errors.filter(isMissing))
        item = addMissing(item, error, {
          sample: made.value,
          fresh: (pointer) => (count > OWN_SAMPLES ? freshText(api, schemasAt(schema, pointer, api), seed) : undefined),
        });
      errors = check(item);
      if (errors.length === 0 && isRecord(item)) return { ok: true, item };
    }
    // A branch of `anyOf` may need members that no single error names.
    const repaired = repairValue(api, schema, item, seed);
    if (isRecord(repaired) && contains(repaired, given) && check(repaired).length === 0)
      return { ok: true, item: repaired };
    const [problem] = explainErrors(
      check(given).filter((error) => !isMissing(error)),
      { api, schema, value: given },
    );
    const { pointer, message } = problem ?? errors[0] ?? { pointer: '', message: 'cannot be completed' };
    return { ok: false, pointer, message };
  };
}

function isMissing({ keyword, params }: ValidationError): boolean {
  return (keyword === 'required' || keyword === 'dependentRequired') && typeof params['missingProperty'] === 'string';
}

interface Additions {
  readonly sample: unknown;
  /** Makes a text that no other item has; `undefined` if texts may repeat. */
  readonly fresh: (pointer: string) => unknown;
}

function addMissing(item: unknown, { pointer, params }: ValidationError, { sample, fresh }: Additions): unknown {
  const missing = appendPointer(pointer, String(params['missingProperty']));
  const place = splitPointer(missing);
  if (hasAt(item, place) || !hasAt(sample, place)) return item;
  return setAt(item, place, fresh(missing) ?? takeAt(sample, place));
}

/** Ids and addresses have a format. */
function freshText(api: Api, schemas: readonly SchemaObject[], seed: number): unknown {
  const schema = schemas.find(({ format }) => format !== undefined && UNIQUE_FORMATS.has(format));
  const made = schema === undefined ? undefined : generateValue(api, schema, { direction: 'response', seed });
  return made?.ok === true ? made.value : undefined;
}

const UNIQUE_FORMATS: ReadonlySet<string> = new Set(['uuid', 'email', 'idn-email', 'uri', 'hostname']);

/** Whether a value still has everything that was given. */
function contains(value: unknown, given: unknown): boolean {
  if (Array.isArray(given))
    return (
      Array.isArray(value) && value.length === given.length && given.every((one, index) => contains(value[index], one))
    );
  if (!isRecord(given)) return Object.is(value, given);
  return (
    isRecord(value) &&
    Object.keys(given).every((name) => Object.hasOwn(value, name) && contains(value[name], given[name]))
  );
}
