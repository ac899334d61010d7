import type { Api } from '../model/api.js';
import type { MainRole } from './resource.js';

/**
 * What a configuration (`resources`) or a spec (`x-resources` at its root) says about one resource. Members that are
 * left out stay inferred.
 */
export interface Correction {
  /** The member of an item with its id, or a JSON pointer into the item. */
  readonly id?: string;
  /** A JSON pointer into the response of a creation, if the id is not in the item there. */
  readonly idInResponse?: string;
  /** Operation ids by role; `update` is the role `patch`. */
  readonly operations?: Readonly<Partial<Record<CorrectedRole, string | readonly string[]>>>;
  /** How its lists page; `false` leaves out the paging helper of the client. */
  readonly page?: PageCorrection | false;
  /** The path of the collection whose items contain this one. */
  readonly parent?: string;
  /** JSON pointers into an item, by the path parameter that each repeats. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The path of the collection whose items a member names. */
  readonly references?: Readonly<Record<string, string>>;
  /** Members whose values are unique in the collection. */
  readonly unique?: readonly string[];
}

export type CorrectedRole = Exclude<MainRole, 'patch'> | 'update';

/** Names of request parameters (`cursor`, `offset`, `page`, `size`) and JSON pointers into a page (`next`, `more`, `total`). */
export interface PageCorrection {
  readonly cursor?: string;
  readonly offset?: string;
  readonly page?: string;
  readonly size?: string;
  readonly next?: string;
  readonly more?: string;
  readonly total?: string;
}

/** Corrections by the path of a collection, or the folder of an RPC API; `false`: no resource. */
export type Corrections = Readonly<Record<string, Correction | false>>;

/**
 * The correction of a resource. Corrections of the configuration stand in place of those of the spec for the same path.
 *
 * @param path - of the collection or singleton, or the folder and noun of calls by verb. The first slash may be missing.
 */
export function correctionFor(path: string, { extensions }: Api): Correction | false | undefined {
  const corrections = (extensions['x-resources'] ?? {}) as Corrections;
  const keys = [path, path.replace(/^\//, '')];
  const key = keys.find((one) => Object.hasOwn(corrections, one));
  return key === undefined ? undefined : corrections[key];
}
