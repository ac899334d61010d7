import type { Api } from '../model/api.js';
import { NameAllocator } from '../model/identifiers.js';
import { referencesIn, surveySchema, withReferrers } from '../model/schema-survey.js';
import type { Schema } from '../model/schema-types.js';
import { inPlaceRefs } from './facts/parts.js';
import { type Direction, ViewBuilder } from './view-builder.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/** The names of request variants, in both directions. */
export interface VariantNames {
  /** Request variants by schema, for schemas that a validator must treat differently in a request. */
  readonly request: ReadonlyMap<string, string>;
  /** Schemas by request variant (including an `inputName` that no validator needs). */
  readonly origin: ReadonlyMap<string, string>;
}

const caches = new WeakMap<Api, VariantNames>();

/**
 * Names the request variants, by `inputName` if there is one. A schema can have an `inputName` but need no variant (an
 * optional `readOnly` member makes no difference to a validator), or the reverse (an enum in any letter case does not
 * change the type).
 */
export function nameVariants(api: Api): VariantNames {
  const known = caches.get(api);
  if (known !== undefined) return known;
  const differing = findDiffering(api);
  const inputs = [...api.schemas.values()].flatMap(({ name, inputName }) =>
    inputName === undefined ? [] : [[inputName, name] as const],
  );
  const origin = new Map<string, string>(inputs);
  const allocator = new NameAllocator({ taken: [...api.schemas.keys(), ...origin.keys()] });
  const request = new Map<string, string>();
  for (const { name, inputName } of api.schemas.values()) {
    if (!differing.has(name)) continue;
    const variant = inputName ?? allocator.take(`${name}AnyCase`);
    request.set(name, variant);
    origin.set(variant, name);
  }
  const names = { request, origin };
  caches.set(api, names);
  return names;
}

/** The schema of a name, which may be that of its request variant. */
export function originOf(name: string, api: Api): string {
  return api.schemas.has(name) ? name : (nameVariants(api).origin.get(name) ?? name);
}

/** The schemas whose two views differ, and those that reach such a schema. */
function findDiffering(api: Api): ReadonlySet<string> {
  const schemas = [...api.schemas.values()];
  const own = schemas.filter(
    ({ schema }) => isDirected(schema, api) && viewText(schema, api, 'request') !== viewText(schema, api, 'response'),
  );
  return withReferrers(
    own.map(({ name }) => name),
    referencesIn(schemas),
  );
}

function viewText(schema: Schema, api: Api, direction: Direction): string {
  return stringifyExactJson(new ViewBuilder(api, direction, (name) => name).child(schema));
}

/** Whether the views of a schema can differ in more than the names that they reference. */
export function isDirected(schema: Schema, api: Api): boolean {
  const { folds, marked, refs } = surveySchema(schema);
  if (folds || marked) return true;
  const names = markedNames(api);
  return [...refs].some((ref) => names.has(ref));
}

const markedCaches = new WeakMap<Api, ReadonlySet<string>>();

/** The schemas that contain a mark, and those that include one of them at the same value. */
function markedNames(api: Api): ReadonlySet<string> {
  const known = markedCaches.get(api);
  if (known !== undefined) return known;
  const found = new Set(
    [...api.schemas.values()].filter(({ schema }) => surveySchema(schema).marked).map(({ name }) => name),
  );
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const name of api.schemas.keys())
      if ([...inPlaceRefs(name, api)].some((ref) => found.has(ref))) found.add(name);
  }
  markedCaches.set(api, found);
  return found;
}
