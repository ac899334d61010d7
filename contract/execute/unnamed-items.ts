import { foldName } from '../../resources/inflection.js';
import { type Id, idOf } from '../../resources/extract-id.js';
import type { Resource } from '../../resources/resource.js';
import { isRecord } from '../../model/document/records.js';
import { isSameJson } from '../../model/exact-json.js';
import { makeCall } from '../plan/build-request-values.js';
import { findPaging, largestPage, walkPages } from '../stateful/pagination/walk.js';
import type { ContractRun } from './contract-run.js';
import { isPlainRead } from './first-calls.js';
import type { UnnamedItem } from './ids/made-items.js';

/** A shorter text may be that of any item. */
const MIN_TEXT = 4;

interface Listed {
  readonly id: Id;
  readonly item: unknown;
}

/**
 * The items that the run has made, but whose creation shows no id. Such an item is known by its list: it was not there
 * at the start of the run, and has all values that the run sent.
 */
export class UnnamedItems {
  readonly #run: ContractRun;
  /** The ids in complete lists at the start of the run. */
  readonly #before = new Map<Resource, ReadonlySet<Id>>();

  constructor(run: ContractRun) {
    this.#run = run;
  }

  /** Reads the lists of items whose creation shows no id, before any of them is made. */
  async look(): Promise<void> {
    for (const resource of this.#run.context.pool.resources) {
      if (resource.delete === undefined || resource.create === undefined || resource.createdId !== undefined) continue;
      const listed = await this.#list(resource);
      if (listed !== undefined) this.#before.set(resource, new Set(listed.map(({ id }) => id)));
    }
  }

  /** Finds the items in their lists. What is not found stays unnamed. */
  async find(): Promise<void> {
    const { made } = this.#run.context.pool.items;
    for (const [resource, before] of this.#before) {
      if (!made.unnamed.some((one) => one.resource === resource)) continue;
      for (const { id, item } of (await this.#list(resource)) ?? []) {
        if (before.has(id) || made.with(id, [resource]).length > 0) continue;
        const creation = made.unnamed.find((one) => one.resource === resource && hasSent(item, one));
        if (creation !== undefined) made.name(creation, id);
      }
    }
  }

  /** The items of a complete list without a parent; `undefined` if there is none. */
  async #list(resource: Resource): Promise<Listed[] | undefined> {
    const { list } = resource;
    if (list === undefined || !isPlainRead(list)) return undefined;
    const call = makeCall(list, { variant: 'minimal', seed: 1 }, this.#run.context);
    const paging = findPaging(list, this.#run.options.api);
    const pageSize = paging?.size === undefined ? undefined : largestPage(paging.size);
    const walk = call === undefined ? undefined : await walkPages(this.#run, call, { paging, pageSize });
    if (walk?.isWhole !== true) return undefined;
    return walk.items.flatMap((item) => {
      const id = idOf(item, resource);
      return id === undefined ? [] : [{ id, item }];
    });
  }
}

/** Whether an item has all values that a creation has sent, and one of them is hardly that of another item. */
function hasSent(item: unknown, { resource, call: { body } }: UnnamedItem): boolean {
  if (!isRecord(item) || !isRecord(body?.value)) return false;
  // The map says which member is the id; its usual names are left out where it does not.
  const idNames = new Set([foldName(resource.id?.path[0] ?? 'id'), foldName(resource.parameter)]);
  const shown = Object.entries(body.value).filter(
    ([name]) => Object.hasOwn(item, name) && !idNames.has(foldName(name)),
  );
  const isOwn = shown.some(([, value]) => typeof value === 'string' && value.length >= MIN_TEXT);
  return isOwn && shown.every(([name, value]) => isSameJson(value, item[name]));
}
