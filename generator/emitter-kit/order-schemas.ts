import type { Api } from '../../model/api.js';
import { surveySchema } from '../../model/schema-survey.js';
import type { OrderedSchema } from './contract.js';

/** The named schemas in an order in which each comes after those that it refers to, and the cycles among them. */
export interface SchemaOrder {
  readonly schemas: readonly OrderedSchema[];
  readonly cycles: readonly (readonly string[])[];
}

/** Orders the named schemas by Tarjan's strongly connected components, without recursion: chains can be long. */
export function orderSchemas({ schemas }: Pick<Api, 'schemas'>): SchemaOrder {
  const refsOf = (name: string): string[] =>
    [...surveySchema(schemas.get(name)?.schema ?? true).refs].filter((ref) => schemas.has(ref));
  const search: Search = { refsOf, index: new Map(), low: new Map(), open: [], isOpen: new Set(), groups: [] };
  for (const name of schemas.keys()) if (!search.index.has(name)) searchFrom(name, search);
  const cycles = search.groups.filter(([first = '', ...rest]) => rest.length > 0 || refsOf(first).includes(first));
  const cyclic = new Set(cycles.flat());
  const ordered = search.groups.flat().flatMap((name): OrderedSchema[] => {
    const named = schemas.get(name);
    if (named === undefined) return [];
    return [{ name, schema: named.schema, isCyclic: cyclic.has(name), hasInput: named.inputName !== undefined }];
  });
  return { schemas: ordered, cycles };
}

interface Search {
  readonly refsOf: (name: string) => string[];
  readonly index: Map<string, number>;
  readonly low: Map<string, number>;
  readonly open: string[];
  readonly isOpen: Set<string>;
  readonly groups: string[][];
}

function searchFrom(start: string, search: Search): void {
  const { refsOf, index, low, isOpen } = search;
  const enter = (name: string): { readonly name: string; readonly refs: string[] } => {
    index.set(name, index.size);
    low.set(name, index.size - 1);
    search.open.push(name);
    isOpen.add(name);
    return { name, refs: refsOf(name) };
  };
  const path = [enter(start)];
  for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
    const { name, refs } = here;
    const next = refs.shift();
    if (next !== undefined && !index.has(next)) path.push(enter(next));
    else if (next !== undefined) {
      if (isOpen.has(next)) lower(low, name, index.get(next));
    } else {
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(low, parent.name, low.get(name));
      if (low.get(name) === index.get(name)) search.groups.push(closeGroup(name, search));
    }
  }
}

function lower(low: Map<string, number>, name: string, value = Infinity): void {
  low.set(name, Math.min(low.get(name) ?? Infinity, value));
}

/** The group that ends with a schema, in the order in which it was found. */
function closeGroup(name: string, { open, isOpen }: Search): string[] {
  const group = open.splice(open.lastIndexOf(name));
  for (const member of group) isOpen.delete(member);
  return group;
}
