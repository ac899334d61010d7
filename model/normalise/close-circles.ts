import type { NamedSchema } from '../api.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import { getOrInsert } from '../maps.js';
import { type Schema, refName } from '../schema-types.js';
import { namesIn } from './listed-children.js';

type Schemas = ReadonlyMap<string, NamedSchema>;

/**
 * Reads schemas that include themselves at the same value. A validator that followed such a reference would never end,
 * and JSON Schema gives it no meaning. Through `allOf` nothing is valid for the schema, so that only what uses it is
 * refused; as a branch of `oneOf` or `anyOf` the reference adds nothing to the other branches.
 */
export function closeCircles(schemas: Map<string, NamedSchema>, problems: DiagnosticCollector): void {
  for (const [name, targets] of findClosingReferences(schemas)) {
    const named = schemas.get(name);
    if (named === undefined) continue;
    const { originalName, source, schema } = named;
    const closed = withoutCircle(schema, (target) => targets.has(target));
    schemas.set(name, { ...named, schema: closed });
    const effect =
      closed === false ? 'Nothing is valid for it, so what uses it is refused.' : 'Its other branches are read.';
    problems.report(
      'schema-includes-itself',
      source,
      `${JSON.stringify(originalName)} includes itself at the same value, which has no end. ${effect}`,
    );
  }
}

/** A schema without the references that lead back to it; the same object if there are none. */
function withoutCircle(schema: Schema, leadsBack: (name: string) => boolean): Schema {
  if (typeof schema === 'boolean') return schema;
  const { $ref, allOf, oneOf, anyOf } = schema;
  if ($ref !== undefined && leadsBack(refName($ref))) return false;
  const [all, one, any] = [allOf, oneOf, anyOf].map((parts) => {
    const closed = parts?.map((part) => withoutCircle(part, leadsBack));
    return closed?.every((part, index) => part === parts?.[index]) === true ? parts : closed;
  });
  if (all?.includes(false) === true && allOf?.includes(false) !== true) return false;
  if (all === allOf && one === oneOf && any === anyOf) return schema;
  const lists = Object.entries({ oneOf: one, anyOf: any }).map(([keyword, branches]) => {
    const open = branches?.filter((branch) => branch !== false);
    return [keyword, open] as const;
  });
  if (lists.some(([, open]) => open?.length === 0)) return false;
  const open = Object.fromEntries(lists.filter(([, branches]) => branches !== undefined));
  return { ...schema, ...(all === undefined ? {} : { allOf: all }), ...open };
}

/** The references that close a circle at the same value, by the schema that has them: the rest has no circle. */
function findClosingReferences(schemas: Schemas): ReadonlyMap<string, ReadonlySet<string>> {
  const closing = new Map<string, Set<string>>();
  const open = new Set<string>();
  const done = new Set<string>();
  const enter = (name: string) => {
    open.add(name);
    return { name, targets: namesIn(schemas.get(name)?.schema ?? true).values() };
  };
  for (const start of schemas.keys()) {
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
