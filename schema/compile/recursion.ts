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
  const circles = new Circles(api);
  const branching = new Map<ReadonlySet<string>, boolean>();
  const created: Recursion = {
    isRecursive: (name) => circles.of(originOf(name, api)) !== undefined,
    branches: (name) => {
      const circle = circles.of(originOf(name, api)) ?? new Set<string>();
      return getOrInsert(branching, circle, () =>
        [...circle].some((member) => hasBranches(api.schemas.get(member)?.schema)),
      );
    },
  };
  caches.set(api, created);
  return created;
}

interface Visited {
  readonly index: number;
  low: number;
  open: boolean;
}

/**
 * The schemas that reach themselves, each with the schemas of its cycles (Tarjan's algorithm, without recursion). Visits
 * what a schema reaches when it is asked for.
 */
class Circles {
  readonly #api: Api;
  readonly #circles = new Map<string, ReadonlySet<string>>();
  readonly #found = new Map<string, Visited>();
  readonly #path: string[] = [];

  constructor(api: Api) {
    this.#api = api;
  }

  of(name: string): ReadonlySet<string> | undefined {
    if (!this.#found.has(name)) this.#visit(name);
    return this.#circles.get(name);
  }

  #visit(root: string): void {
    const work: { readonly name: string; readonly refs: readonly string[]; next: number }[] = [];
    const enter = (name: string): void => {
      this.#found.set(name, { index: this.#found.size, low: this.#found.size, open: true });
      this.#path.push(name);
      work.push({ name, refs: refsOf(name, this.#api), next: 0 });
    };
    enter(root);
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const { name, refs } = top;
      const own = this.#found.get(name);
      const ref = refs[top.next];
      if (own === undefined) break;
      if (ref !== undefined) {
        top.next += 1;
        const target = this.#found.get(ref);
        if (target === undefined) enter(ref);
        else if (target.open) own.low = Math.min(own.low, target.index);
        continue;
      }
      work.pop();
      const above = this.#found.get(work.at(-1)?.name ?? '');
      if (above !== undefined) above.low = Math.min(above.low, own.low);
      if (own.low === own.index) this.#closeCircle(name);
    }
  }

  #closeCircle(name: string): void {
    const members = this.#path.splice(this.#path.lastIndexOf(name));
    for (const member of members) {
      const state = this.#found.get(member);
      if (state !== undefined) state.open = false;
    }
    if (members.length === 1 && !refsOf(name, this.#api).includes(name)) return;
    const circle = new Set(members);
    for (const member of members) this.#circles.set(member, circle);
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
