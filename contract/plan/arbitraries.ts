import fc from 'fast-check';

import type { Api } from '../../model/api.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';
import { namedView, schemaView } from '../../schema/variants.js';

/** Below this depth, values come from the generator, which always terminates. */
const MAX_DEPTH = 6;

/** Random valid values of a request that fast-check can shrink. */
export function arbitraryOf(schema: Schema, api: Api): fc.Arbitrary<unknown> {
  const validate = compileValidator(api, schema, { direction: 'request' });
  return fc
    .tuple(build(schemaView(schema, api, 'request'), api, 0), SEEDS)
    .map(([value, seed]) => (validate(value).length === 0 ? value : generate(schema, api, seed)));
}

const SEEDS = fc.integer({ min: 1, max: 1_000 });

function generated(schema: Schema, api: Api): fc.Arbitrary<unknown> {
  return SEEDS.map((seed) => generate(schema, api, seed));
}

function generate(schema: Schema, api: Api, seed: number): unknown {
  const made = generateValue(api, schema, { direction: 'request', seed });
  return made.ok ? made.value : undefined;
}

function build(schema: Schema, api: Api, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return fc.jsonValue({ maxDepth: 1 });
  if (depth > MAX_DEPTH) return generated(schema, api);
  const named = schema.$ref === undefined ? undefined : namedView(refName(schema.$ref), api);
  if (named !== undefined) return build(named, api, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined && branches.length > 0 && schema.properties === undefined)
    return fc.oneof(...branches.map((branch) => build(branch, api, depth + 1)));
  if (schema.allOf !== undefined || schema.not !== undefined || schema.if !== undefined || branches !== undefined)
    return generated(schema, api);
  const types = [schema.type ?? []].flat();
  if (types.length === 0)
    return schema.properties === undefined ? generated(schema, api) : buildObject(schema, api, depth);
  return fc.oneof(...types.map((type) => buildType(type, schema, { api, depth })));
}

interface Place {
  readonly api: Api;
  readonly depth: number;
}

function buildType(type: string, schema: SchemaObject, { api, depth }: Place): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return buildInteger(schema);
    case 'number':
      return fc.double({
        noNaN: true,
        noDefaultInfinity: true,
        min: schema.minimum ?? -1e9,
        max: Math.max(schema.maximum ?? 1e9, schema.minimum ?? -1e9),
      });
    case 'string':
      return buildText(schema, api);
    case 'array':
      return buildList(schema, api, depth);
    default:
      return buildObject(schema, api, depth);
  }
}

function buildInteger(schema: SchemaObject): fc.Arbitrary<unknown> {
  const min = Math.ceil(
    schema.minimum ?? (schema.exclusiveMinimum === undefined ? -(2 ** 31) : schema.exclusiveMinimum + 1),
  );
  const max = Math.floor(
    schema.maximum ?? (schema.exclusiveMaximum === undefined ? 2 ** 31 - 1 : schema.exclusiveMaximum - 1),
  );
  return min > max
    ? fc.constant(min)
    : fc.integer({
        min: Math.max(min, Number.MIN_SAFE_INTEGER),
        max: Math.max(min, Math.min(max, Number.MAX_SAFE_INTEGER)),
      });
}

function buildList(
  { items = true, minItems = 0, maxItems = 5 }: SchemaObject,
  api: Api,
  depth: number,
): fc.Arbitrary<unknown> {
  const maxLength = Math.max(minItems, Math.min(maxItems, minItems + 5));
  return fc.array(build(items, api, depth + 1), { minLength: minItems, maxLength });
}

function buildText(schema: SchemaObject, api: Api): fc.Arbitrary<unknown> {
  if (schema.format !== undefined || schema.pattern !== undefined) return generated(schema, api);
  const { minLength = 0, maxLength = Infinity } = schema;
  const most = Math.max(minLength, Math.min(maxLength, minLength + 40));
  return fc.string({ unit: 'grapheme', minLength, maxLength: most });
}

function buildObject(schema: SchemaObject, api: Api, depth: number): fc.Arbitrary<unknown> {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {})
    .filter(([, member]) => member !== false && !(typeof member === 'object' && member.readOnly === true))
    .map(([name, member]) => [name, build(member, api, depth + 1)] as const);
  const requiredKeys = members.map(([name]) => name).filter((name) => required.has(name));
  return fc.record(Object.fromEntries(members), { requiredKeys, noNullPrototype: true });
}
