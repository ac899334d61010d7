import type { NamedSchema } from '../api.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { getOrInsert } from '../maps.js';
import { type Schema, type SchemaObject, refName } from '../schema-types.js';
import { namesIn, reachableNames } from './same-value.js';

type Schemas = ReadonlyMap<string, NamedSchema>;

/**
 * Reads schemas that include themselves at the same value. A validator that followed such a reference would never end,
 * and JSON Schema gives it no meaning. Through `allOf`, `not` or `if` nothing is valid for the schema, so that only what
 * uses it is refused; as a branch of `oneOf` or `anyOf` the reference adds nothing to the other branches.
 */
export function closeCircles(schemas: Map<string, NamedSchema>, problems: DiagnosticCollector): void {
  const set = (named: NamedSchema, closed: Schema): void => {
    const { name, originalName, source } = named;
    schemas.set(name, { ...named, schema: closed });
    const effect =
      closed === false ? 'Nothing is valid for it, so what uses it is refused.' : 'Its other branches are read.';
    problems.report(
      'schema-includes-itself',
      source,
      `${JSON.stringify(originalName)} includes itself at the same value, which has no end. ${effect}`,
    );
  };
  for (const named of findUndecided(schemas)) set(named, false);
  for (const [name, targets] of findClosingReferences(schemas)) {
    const named = schemas.get(name);
    if (named !== undefined)
      set(
        named,
        withoutCircle(named.schema, (target) => targets.has(target)),
      );
  }
}

/** The schemas with a condition (`not`, `if`) that depends on its own result: it is neither true nor false. */
function findUndecided(schemas: Schemas): readonly NamedSchema[] {
  return [...schemas.values()].filter(({ name, schema }) =>
    reachableNames(conditionsOf(schema), schemas, partsOf).has(name),
  );
}

/** The conditions of a schema for the value itself. */
function conditionsOf(schema: Schema): readonly Schema[] {
  if (typeof schema === 'boolean') return [];
  const own = [schema.not, schema.if].filter((part) => part !== undefined);
  return [...own, ...consequencesOf(schema).flatMap(conditionsOf)];
}

/** The parts of a schema that apply to the value itself and are no conditions. */
function consequencesOf({ allOf = [], anyOf = [], oneOf = [], dependentSchemas = {}, ...rest }: SchemaObject) {
  const branches = [rest.then, rest.else].filter((part) => part !== undefined);
  return [...allOf, ...anyOf, ...oneOf, ...Object.values(dependentSchemas), ...branches];
}

/** A schema without the references that lead back to it; the same object if there are none. */
function withoutCircle(schema: Schema, leadsBack: (name: string) => boolean): Schema {
  if (typeof schema === 'boolean') return schema;
  const close = (part: Schema): Schema => withoutCircle(part, leadsBack);
  const { $ref, allOf } = schema;
  if ($ref !== undefined && leadsBack(refName($ref))) return false;
  const all = closeEach(allOf, close);
  if (all?.includes(false) === true && allOf?.includes(false) !== true) return false;
  const lists = (['oneOf', 'anyOf'] as const).map((keyword) => {
    const closed = closeEach(schema[keyword], close);
    return [keyword, closed === schema[keyword] ? closed : closed?.filter((branch) => branch !== false)] as const;
  });
  if (lists.some(([keyword, open]) => open?.length === 0 && schema[keyword]?.length !== 0)) return false;
  const changed = Object.entries({ allOf: all, ...Object.fromEntries(lists), ...closeConsequences(schema, close) });
  const now = changed.filter(([keyword, value]) => value !== schema[keyword as keyof SchemaObject]);
  return now.length === 0 ? schema : { ...schema, ...Object.fromEntries(now) };
}

/** The parts without their circles; the same list if they have none. */
function closeEach(parts: readonly Schema[] | undefined, close: (part: Schema) => Schema) {
  const closed = parts?.map(close);
  return closed?.every((part, index) => part === parts?.[index]) === true ? parts : closed;
}

/** What a condition leads to: where it leads back, nothing is valid if the condition holds. */
function closeConsequences(schema: SchemaObject, close: (part: Schema) => Schema): Partial<SchemaObject> {
  const { then, else: otherwise, dependentSchemas } = schema;
  const parts = Object.entries(dependentSchemas ?? {}).map(([name, part]) => [name, part, close(part)] as const);
  const isSame = parts.every(([, part, closed]) => part === closed);
  const dependent = isSame
    ? dependentSchemas
    : Object.fromEntries(parts.map(([name, , closed]) => [name, closed] as const));
  return {
    ...(then === undefined ? {} : { then: close(then) }),
    ...(otherwise === undefined ? {} : { else: close(otherwise) }),
    ...(dependent === undefined ? {} : { dependentSchemas: dependent }),
  };
}

/** The parts of a schema that apply to the value itself, conditions too. */
function partsOf(schema: SchemaObject): readonly Schema[] {
  return [...consequencesOf(schema), schema.not, schema.if].filter((part) => part !== undefined);
}

/** The references that close a circle at the same value, by the schema that has them: the rest has no circle. */
function findClosingReferences(schemas: Schemas): ReadonlyMap<string, ReadonlySet<string>> {
  return findClosing(schemas.keys(), (name) => namesIn(schemas.get(name)?.schema ?? true, partsOf));
}

/** The targets that lead back to a name, by name: without them the graph has no circle. */
export function findClosing(
  names: Iterable<string>,
  targetsOf: (name: string) => readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const closing = new Map<string, Set<string>>();
  const open = new Set<string>();
  const done = new Set<string>();
  const enter = (name: string) => {
    open.add(name);
    return { name, targets: targetsOf(name).values() };
  };
  for (const start of names) {
    if (done.has(start)) continue;
    // A stack of its own, because a chain of references can be longer than the stack of the process.
    const path = [enter(start)];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { value: target } = last.targets.next();
      if (target === undefined) {
        open.delete(last.name);
        done.add(last.name);
        path.pop();
      } else if (open.has(target)) getOrInsert(closing, last.name, () => new Set()).add(target);
      else if (!done.has(target)) path.push(enter(target));
    }
  }
  return closing;
}
