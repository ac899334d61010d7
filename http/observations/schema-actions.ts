import type { Api, Dialect } from '../../model/api.js';
import { showJson } from '../../model/exact-json.js';
import { groupBy } from '../../model/maps.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { describePlace, describeValues, type SchemaContext } from './describe-observation.js';
import { addMembers, allowMissing } from './member-actions.js';
import type { FoldedObservation, OverlayAction } from './observation.js';
import type { PlaceTotals } from './place-totals.js';
import type { JsonType } from './shape.js';
import { hasTypeLists, schemaFromShape, writeNullable } from './schema-from-shape.js';
import { toJsonPath } from './spec-path.js';

/** Fewer calls than this may be a fault of the server. */
const ENOUGH_CALLS = 2;

/** Fewer calls with another type than this may be a fault of the server, if other calls have the documented one. */
const MIXED_CALLS = 3;

/** An enum that lacks more values than this is no list of all values. */
const MOST_NEW_VALUES = 30;

/** Keywords that limit values, and that a spec may state too narrowly. */
const LIMITS: ReadonlySet<string> = new Set([
  ...['format', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['const', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
]);

/** The actions that make the schemas of a spec allow what several responses agree on. */
export function schemaActions(
  observations: readonly FoldedObservation[],
  context: SchemaContext,
): { readonly actions: OverlayAction[]; readonly uncertain: number } {
  let uncertain = 0;
  const groups = groupBy(observations, ({ kind, keyword, at }) => stringifyExactJson([kind, keyword, at.pointer]));
  const actions = [...groups.values()].flatMap((group) => {
    const certain = group.filter((one) => isCertain(one, context));
    uncertain += group.length - certain.length;
    const [first] = certain;
    const made = first === undefined ? [] : WRITERS[first.kind](certain, first, context);
    if (first !== undefined && made.length === 0) uncertain += certain.length;
    return made;
  });
  return { actions, uncertain };
}

/**
 * Null, a missing member and an unknown value are certain if several calls show them, since one such value breaks a
 * client. A wrong type is certain if no value has the documented one, or if several calls and a quarter of all have it; another
 * limit if half of the calls break it: otherwise the server may be wrong.
 */
function isCertain(found: FoldedObservation, { totals, api }: SchemaContext): boolean {
  if (found.calls < ENOUGH_CALLS) return false;
  if (found.kind === 'enum') return [...found.unknown.values()].some((calls) => calls >= ENOUGH_CALLS);
  if (found.kind !== 'rule') return true;
  if (found.keyword === 'type') return isWidened(found) || !hasDocumented(found, totals) || isMixed(found, totals);
  if (isChoice(found.keyword)) return isMixed(found, totals) && isOtherType(found, found.keyword, api);
  return LIMITS.has(found.keyword) && found.calls * 2 >= totals.calls(found.at);
}

function hasDocumented({ at, schema }: FoldedObservation, totals: PlaceTotals): boolean {
  return totals.values(at, documentedTypes(schema)) > 0;
}

/** Whether a server sends values of several types, such as errors that are sometimes a text: no slip of one call. */
function isMixed({ calls, at }: FoldedObservation, totals: PlaceTotals): boolean {
  return calls >= MIXED_CALLS && calls * 4 >= totals.calls(at);
}

function isChoice(keyword: string): keyword is 'anyOf' | 'oneOf' {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

/** Whether the values have types that none of the alternatives has. With other values, the server may be wrong. */
function isOtherType({ schema, shape }: FoldedObservation, keyword: 'anyOf' | 'oneOf', api: Api): boolean {
  const types = (schema[keyword] ?? []).map((one) => typesOf(one, api));
  return types.every((known) => known !== undefined && ![...shape.types.keys()].some((type) => known.includes(type)));
}

/** The types of an alternative; `undefined` if it does not state them. */
function typesOf(schema: Schema, api: Api, depth = 0): JsonType[] | undefined {
  if (typeof schema !== 'object' || depth > 8) return undefined;
  if (schema.type !== undefined) return documentedTypes(schema);
  const named = schema.$ref === undefined ? undefined : api.schemas.get(refName(schema.$ref));
  return named === undefined ? undefined : typesOf(named.schema, api, depth + 1);
}

/** The types of a schema apart from null. Each integer is a number too. */
function documentedTypes({ type }: SchemaObject): JsonType[] {
  const types = [type ?? []].flat().filter((one) => one !== 'null');
  return types.includes('number') ? [...types, 'integer'] : types;
}

/** Whether numbers with a fraction were seen in place of integers, which are numbers too. */
function isWidened({ shape, schema }: FoldedObservation): boolean {
  return [...shape.types.keys()].every((type) => type === 'number') && [schema.type].flat().includes('integer');
}

type WriteActions = (
  group: readonly FoldedObservation[],
  first: FoldedObservation,
  context: SchemaContext,
) => OverlayAction[];

const WRITERS: Readonly<Record<FoldedObservation['kind'], WriteActions>> = {
  null: (_, first, context) => allowNull(first, context),
  missing: allowMissing,
  member: addMembers,
  enum: (_, first, context) => addValues(first, context),
  rule: (_, first, context) => changeRule(first, context),
};

function allowNull(found: FoldedObservation, context: SchemaContext): OverlayAction[] {
  const { schema, at } = found;
  const target = toJsonPath(at.pointer);
  const description = `${describePlace(found)} may be null: ${describeValues(found, context)}`;
  const { api } = context;
  const { dialect } = api;
  if (schema.$ref !== undefined) return wrapReference(found, api, description);
  const listed = schema.enum === undefined || schema.enum.includes(null) ? {} : { enum: [null] };
  if (!hasTypeLists(dialect)) return [{ target, description, update: { ...writeNullable(dialect), ...listed } }];
  if (schema.type !== undefined) {
    const type = Array.isArray(schema.type) ? ['null'] : [schema.type, 'null'];
    return [{ target, description, update: { type, ...listed } }];
  }
  const combinator = (['anyOf', 'oneOf'] as const).find((name) => schema[name] !== undefined);
  if (combinator !== undefined) return [{ target, description, update: { [combinator]: [{ type: 'null' }] } }];
  return schema.enum === undefined ? [] : [{ target, description, update: listed }];
}

/** A reference has no siblings before OpenAPI 3.1, so it moves into a list of alternatives or parts. */
function wrapReference({ schema, at }: FoldedObservation, api: Api, description: string): OverlayAction[] {
  const named = api.schemas.get(refName(schema.$ref ?? ''));
  if (named === undefined || named.source.file !== at.file) return [];
  const reference = { $ref: `#${encodeFragment(named.source.pointer)}` };
  const { dialect } = api;
  const update = hasTypeLists(dialect)
    ? { anyOf: [reference, { type: 'null' }] }
    : { ...writeNullable(dialect), allOf: [reference] };
  const target = toJsonPath(at.pointer);
  return [
    { target, description, update },
    {
      target: `${target}['$ref']`,
      description: 'The reference is in the list that the action before adds.',
      remove: true,
    },
  ];
}

function encodeFragment(pointer: string): string {
  return pointer.split('/').map(encodeURIComponent).join('/');
}

function addValues(found: FoldedObservation, context: SchemaContext): OverlayAction[] {
  const target = toJsonPath(found.at.pointer);
  const values = [...found.unknown].filter(([, calls]) => calls >= ENOUGH_CALLS).map(([value]) => value);
  const evidence = describeValues(found, context);
  if (found.unknown.size > MOST_NEW_VALUES) {
    const description = `${describePlace(found)} has more than ${MOST_NEW_VALUES} values that the enum lacks, so it is no enum: ${evidence}`;
    return [{ target: `${target}.enum`, description, remove: true }];
  }
  const noun = values.length === 1 ? 'a value' : `${values.length} values`;
  const description = `${describePlace(found)} has ${noun} that the enum lacks: ${evidence}`;
  return [{ target, description, update: { enum: values } }];
}

/** Keywords whose meaning needs another one in OpenAPI 2.0 and 3.0. */
const WITH: Readonly<Record<string, string>> = { exclusiveMinimum: 'minimum', exclusiveMaximum: 'maximum' };

function changeRule(found: FoldedObservation, context: SchemaContext): OverlayAction[] {
  const { api } = context;
  const { keyword, at, schema } = found;
  const target = toJsonPath(at.pointer);
  const evidence = describeValues(found, context);
  if (keyword === 'type')
    return !isWidened(found) && hasDocumented(found, context.totals)
      ? addType(found, api.dialect, evidence)
      : changeType(found, api.dialect, evidence);
  if (isChoice(keyword)) {
    const description = `${describePlace(found)} is sometimes ${showTypes(found.shape)}, which no alternative allows: ${evidence}`;
    return [{ target, description, update: { [keyword]: [schemaFromShape(found.shape, api.dialect)] } }];
  }
  const value = showJson((schema as Readonly<Record<string, unknown>>)[keyword]);
  const description = `${describePlace(found)} does not keep ${keyword} ${value}: ${evidence}`;
  const removed: OverlayAction = { target: `${target}.${keyword}`, description, remove: true };
  const other = hasTypeLists(api.dialect) ? undefined : WITH[keyword];
  if (other === undefined) return [removed];
  const note = `The limit belongs to ${keyword}, which the action before removes.`;
  return [removed, { target: `${target}.${other}`, description: note, remove: true }];
}

function changeType(found: FoldedObservation, dialect: Dialect, evidence: string): OverlayAction[] {
  const { schema, at, shape } = found;
  const target = toJsonPath(at.pointer);
  const written = schemaFromShape(shape, dialect);
  // A list of types could only be extended, and a type that nothing has would stay in it.
  if (hasTypeLists(dialect) && Array.isArray(schema.type)) return [];
  if (written['type'] === undefined) return [];
  const description = `${describePlace(found)} is ${showTypes(shape)}, not ${documentedTypes(schema)[0] ?? 'that'}: ${evidence}`;
  const format = schema.format === undefined || typeof written['format'] === 'string' ? [] : [schema.format];
  return [
    { target, description, update: written },
    ...format.map((name) => ({
      target: `${target}.format`,
      description: `The format ${name} belongs to the type that the action before replaces.`,
      remove: true as const,
    })),
  ];
}

/** Before OpenAPI 3.1, `type` names one type only, so it goes; the other keywords hold for values of their types. */
function addType(found: FoldedObservation, dialect: Dialect, evidence: string): OverlayAction[] {
  const { schema, at, shape } = found;
  const target = toJsonPath(at.pointer);
  const description = `${describePlace(found)} is sometimes ${showTypes(shape)}, not ${documentedTypes(schema)[0] ?? 'that'}: ${evidence}`;
  if (!hasTypeLists(dialect)) return [{ target: `${target}.type`, description, remove: true }];
  const added = [...shape.types.keys()];
  const type = Array.isArray(schema.type) ? added : [schema.type, ...added];
  return [{ target, description, update: { type } }];
}

function showTypes({ types }: FoldedObservation['shape']): string {
  return [...types.keys()].join(' or ');
}
