import type { Api } from '../model/api.js';
import { type Corrections, RESOURCES_EXTENSION } from '../model/overlay/add-resources.js';

export type { Corrections } from '../model/overlay/add-resources.js';

/**
 * What a configuration (`resources`) or a spec (`x-resources` at its root) says about one resource. Members that are
 * left out stay inferred. `specs/extensions.schema.json` describes them.
 */
export type Correction = Exclude<Corrections[string], false>;

/** `update` is the role `patch`. */
export type CorrectedRole = keyof NonNullable<Correction['operations']>;

/** How the lists of a resource page. */
export type PageCorrection = Exclude<NonNullable<Correction['page']>, false>;

/** All corrections of an API. */
export function correctionsOf({ extensions }: Pick<Api, 'extensions'>): Corrections {
  return (extensions[RESOURCES_EXTENSION] ?? {}) as Corrections;
}

/**
 * The correction of a resource. Corrections of the configuration stand in place of those of the spec for the same path.
 *
 * @param path - of the collection or singleton, or the folder and noun of calls by verb. The first slash may be missing.
 */
export function correctionFor(path: string, api: Api): Correction | false | undefined {
  const corrections = correctionsOf(api);
  const keys = [path, path.replace(/^\//, '')];
  const key = keys.find((one) => Object.hasOwn(corrections, one));
  return key === undefined ? undefined : corrections[key];
}

/** The correction of a resource by its name: the path of an item, or the folder and noun of calls by verb. */
export function correctionOf(name: string, api: Api): Correction | undefined {
  const correction = correctionFor(name, api) ?? correctionFor(name.replace(/\/\{[^{}/]+\}$/, ''), api);
  return correction === false ? undefined : correction;
}
