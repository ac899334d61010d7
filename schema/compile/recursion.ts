import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { childSchemas, surveySchema } from '../../model/schema-survey.js';
import { type Schema, type SchemaObject } from '../../model/schema-types.js';
import { originOf } from '../variant-names.js';

/** Which named schemas of an API contain themselves. */
export interface Recursion {
  /** Whether a schema leads back to itself. */
  isRecursive(name: string): boolean;
  /** Whether it checks a value in several branches on the way, so that work could double with each level. */
  branches(name: string): boolean;
}

const caches = new WeakMap<Api, Recursion>();

export function recursionOf(api: Api): Recursion {
  const known = caches.get(api);
  if (known !== undefined) return known;
  const circles = findCircles(api);
  const branching = new Map<ReadonlySet<string>, boolean>();
  const created: Recursion = {
    isRecursive: (name) => circles.has(originOf(name, api)),
    branches: (name) => {
      const circle = circles.get(originOf(name, api)) ?? new Set();
      return getOrInsert(branching, circle, () =>
        [...circle].some((member) => hasBranches(api.schemas.get(member)?.schema)),
      );
    },
  };
  caches.set(api, created);
  return created;
}

/**
 * Finds the schemas that reach themselves, each with the schemas of its cycles (Tarjan's algorithm, without recursion).
 */
function findCircles(api: Api): ReadonlyMap<string, ReadonlySet<string>> {
  const circles = new Map<string, ReadonlySet<string>>();
  const found = new Map<string, { readonly index: number; low: number; open: boolean }>();
  const path: string[] = [];
  for (const root of api.schemas.keys()) {
    if (found.has(root)) continue;
    const work: { readonly name: string; readonly refs: readonly string[]; next: number }[] = [];
    const enter = (name: string): void => {
      found.set(name, { index: found.size, low: found.size, open: true });
      path.push(name);
      work.push({ name, refs: refsOf(name, api), next: 0 });
    };
    enter(root);
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const { name, refs } = top;
      const own = found.get(name);
      const ref = refs[top.next];
      if (own === undefined) break;
      if (ref !== undefined) {
        top.next += 1;
        const target = found.get(ref);
        if (target === undefined) enter(ref);
        else if (target.open) own.low = Math.min(own.low, target.index);
        continue;
      }
      work.pop();
      const above = found.get(work.at(-1)?.name ?? '');
      if (above !== undefined) above.low = Math.min(above.low, own.low);
      if (own.low === own.index) closeCircle(name);
    }
  }
  return circles;

  function closeCircle(name: string): void {
    const members = path.splice(path.lastIndexOf(name));
    for (const member of members) {
      const state = found.get(member);
      if (state !== undefined) state.open = false;
    }
    if (members.length === 1 && !refsOf(name, api).includes(name)) return;
    const circle = new Set(members);
    for (const member of members) circles.set(member, circle);
  }
}

function refsOf(name: string, api: Api): readonly string[] {
  const schema = api.schemas.get(name)?.schema;
  return schema === undefined ? [] : [...surveySchema(schema).refs].map((ref) => originOf(ref, api));
}

const BRANCHING = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentSchemas',
  'contains',
  'patternProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;

function hasBranches(schema: Schema | undefined): boolean {
  const open: Schema[] = schema === undefined ? [] : [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    const one: SchemaObject = next;
    if (BRANCHING.some((key) => one[key] !== undefined) || (one.$ref !== undefined && siblings(one))) return true;
    open.push(...childSchemas(one));
  }
  return false;
}

/** Whether a reference has keywords beside it that may check the same parts of a value. */
function siblings(schema: SchemaObject): boolean {
  return schema.properties !== undefined || schema.items !== undefined || schema.additionalProperties !== undefined;
}
