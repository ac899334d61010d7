import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { ResourceCore } from '../../resources/resource.js';
import { looksUnique } from '../../schema/sample/hints.js';
import { keywordOf, membersOf } from '../../schema/facts/members.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { type Item, withMember } from './json-path.js';

/** How often a member that repeats is made again. */
const ATTEMPTS = 8;

/** Keeps the members apart that look unique, such as `email`, in the items of one collection. */
export class DifferentMembers {
  readonly #api: Api;
  readonly #core: ResourceCore;
  /** The values so far, by member. */
  readonly #seen = new Map<string, Set<unknown>>();

  constructor(api: Api, core: ResourceCore) {
    this.#api = api;
    this.#core = core;
    for (const { name, schema } of membersOf(core.schema, api).values()) {
      const format = keywordOf(schema, 'format', api);
      const isFree = keywordOf(schema, 'enum', api) === undefined && keywordOf(schema, 'const', api) === undefined;
      if (isFree && looksUnique(name, format === undefined ? [] : [format])) this.#seen.set(name, new Set());
    }
    // The key of the item has its own rule.
    if (core.id?.path.length === 1) this.#seen.delete(core.id.path[0] ?? '');
  }

  /** Returns the item with another value for each member that an earlier item has as well. */
  change(item: Item, makeAgain: (attempt: number) => unknown): Item {
    let changed = item;
    for (const [name, seen] of this.#seen) {
      if (isScalar(item[name]) && seen.has(item[name])) changed = this.#replace(changed, name, makeAgain);
      if (isScalar(changed[name])) seen.add(changed[name]);
    }
    return changed;
  }

  #replace(item: Item, name: string, makeAgain: (attempt: number) => unknown): Item {
    const validate = compileValidator(this.#api, this.#core.schema, { direction: 'response' });
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const other = makeAgain(attempt);
      const value = isRecord(other) ? other[name] : undefined;
      if (!isScalar(value) || this.#seen.get(name)?.has(value) === true) continue;
      const changed = withMember(item, name, value);
      if (validate(changed).length === 0) return changed;
    }
    return item;
  }
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
