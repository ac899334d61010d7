import type { Api } from '../model/api.js';
import { NameAllocator } from '../model/identifiers.js';
import { childSchemas } from '../model/normalise/input-names.js';
import { type Schema, refName } from '../model/schema-types.js';

/** The two ways that a value can travel. */
export type Direction = 'request' | 'response';

interface VariantNames {
  /** Name of a schema -> name of its request variant, for those that have one of their own. */
  readonly request: ReadonlyMap<string, string>;
  /** Name of a request variant -> name of the schema. */
  readonly origin: ReadonlyMap<string, string>;
}

const cache = new WeakMap<Api, VariantNames>();

/**
 * The names of the request variants. Beside those that differ as types (`inputName`) there are schemas that differ for
 * a validator only, because an enum in their reach accepts any letter case; they get a name of their own too.
 */
export function nameVariants(api: Api): VariantNames {
  const known = cache.get(api);
  if (known !== undefined) return known;
  const entries = [...api.schemas.values()];
  const allocator = new NameAllocator({ taken: entries.flatMap(({ name, inputName }) => (inputName === undefined ? [name] : [name, inputName])) });
  const folding = findFoldingSchemas(api);
  const request = new Map<string, string>();
  for (const { name, inputName } of entries) {
    if (inputName !== undefined) request.set(name, inputName);
    else if (folding.has(name)) request.set(name, allocator.take(`${name}AnyCase`));
  }
  const names = { request, origin: new Map([...request].map(([name, variant]) => [variant, name])) };
  cache.set(api, names);
  return names;
}

/** The named schemas that hold an enum in any letter case, or reach one. */
function findFoldingSchemas(api: Api): ReadonlySet<string> {
  const referrers = new Map<string, string[]>();
  const open: string[] = [];
  for (const { name, schema } of api.schemas.values()) {
    const { folds, refs } = surveySchema(schema);
    if (folds) open.push(name);
    for (const ref of refs) referrers.set(ref, [...(referrers.get(ref) ?? []), name]);
  }
  const found = new Set(open);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const referrer of referrers.get(next) ?? []) {
      if (!found.has(referrer)) open.push(referrer);
      found.add(referrer);
    }
  }
  return found;
}

/** What a schema holds that can make its two directions differ. */
export interface SchemaSurvey {
  /** It has an enum in any letter case. */
  readonly folds: boolean;
  /** A schema in it is marked `readOnly` or `writeOnly`. */
  readonly marked: boolean;
  /** The named schemas that it refers to. */
  readonly refs: ReadonlySet<string>;
}

const surveys = new WeakMap<object, SchemaSurvey>();

/** Surveys a schema and everything that stands in it, without following refs. */
export function surveySchema(schema: Schema): SchemaSurvey {
  if (typeof schema === 'boolean') return { folds: false, marked: false, refs: new Set() };
  const known = surveys.get(schema);
  if (known !== undefined) return known;
  const refs = new Set<string>();
  let folds = false;
  let marked = false;
  const open: Schema[] = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    if (next['x-enum-any-case'] === true && next.enum !== undefined) folds = true;
    if (next.readOnly === true || next.writeOnly === true) marked = true;
    if (next.$ref !== undefined) refs.add(refName(next.$ref));
    open.push(...childSchemas(next));
  }
  const survey = { folds, marked, refs };
  surveys.set(schema, survey);
  return survey;
}
