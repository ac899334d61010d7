import type { Api, Operation } from '../../model/api.js';
import { splitPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { parseExactText, showJson } from '../../model/exact-json.js';
import type { MappedOperation, MappedResource } from '../../resources/map/resource-map.js';
import { isSuccess } from '../../http/messages.js';
import { writeCall, type WireContext } from '../execute/http/write-call.js';
import { OperationHeaders } from '../plan/operation-headers.js';
import { type CallStyle, sampleCall } from '../plan/build-request-values.js';
import { asksForOther } from '../execute/own-filters.js';
import type { Call } from '../types.js';
import { parametersOf } from '../../resources/path-template.js';
import { scalarText } from '../../http/request/write-request.js';
import {
  type Reading,
  createdIdIn,
  findLost,
  idIn,
  idInLocation,
  idsIn,
  openMember,
  showRefusal,
  textAt,
} from './read-life.js';
import { type LifeProblem, type LivedItem, operationOf, withFilters, withValues } from './life.js';

/** A mock, in this process or elsewhere. */
export interface LifeTarget {
  readonly url: string;
  readonly fetch: typeof fetch;
}

export interface LifeOptions {
  /** Only creates, reads and lists one item of each resource. */
  readonly isShort?: boolean;
  /** Whether no time is left. */
  readonly isOver?: () => boolean;
}

/**
 * Plays the life of each resource against a mock: creates items, reads, lists and changes them, deletes them, and looks
 * whether they are gone. Returns a problem for each promise of the map that does not hold.
 *
 * @param resources - of the map, those with state.
 */
export async function playLives(
  api: Api,
  resources: readonly MappedResource[],
  target: LifeTarget,
  options: LifeOptions = {},
): Promise<LifeProblem[]> {
  const player = new LifePlayer(api, target, options);
  const ordered = resources.toSorted((one, other) => depthOf(one) - depthOf(other));
  for (const resource of ordered) await player.grow(resource, resources);
  if (options.isShort === true) return player.problems;
  for (const resource of ordered) await player.change(resource);
  for (const resource of ordered.toReversed()) await player.end(resource);
  return player.problems;
}

function depthOf({ path }: MappedResource): number {
  return path.split('{').length;
}

/** How many items of a resource are created. */
const ITEMS = 3;

class LifePlayer {
  readonly problems: LifeProblem[] = [];
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly #context: WireContext;
  readonly #target: LifeTarget;
  readonly #options: LifeOptions;
  readonly #items = new Map<string, LivedItem[]>();

  constructor(api: Api, target: LifeTarget, options: LifeOptions) {
    this.#operations = new Map(api.operations.map((operation) => [operation.id, operation]));
    this.#target = target;
    this.#options = options;
    this.#context = {
      api,
      url: new URL(target.url),
      // The ids of items are read from JSON.
      headers: { accept: 'application/json, */*;q=0.1' },
      headersFor: new OperationHeaders([]),
      otherHeaders: {},
      madeUp: { mayHave: () => true },
    };
  }

  /** Creates items of a resource below the first item of its parent, and reads and lists them. */
  async grow(resource: MappedResource, all: readonly MappedResource[]): Promise<void> {
    if (this.#options.isOver?.() === true) return;
    const parents = this.#valuesOfParents(resource, all);
    if (parents === undefined) return;
    if (resource.kind === 'singleton') return this.#readSingleton(resource, parents);
    const items: LivedItem[] = [];
    this.#items.set(resource.path, items);
    const create = operationOf(resource, 'create');
    if (create !== undefined) await this.#createSome(resource, create, { parents, items });
    for (const item of items) await this.#read(resource, item);
    if (create === undefined || items.length > 0) await this.#list(resource, { parents, items });
  }

  async #createSome(
    resource: MappedResource,
    create: MappedOperation,
    { parents, items }: { readonly parents: readonly string[]; readonly items: LivedItem[] },
  ): Promise<void> {
    const count = this.#options.isShort === true ? 1 : ITEMS;
    for (let seed = 1; seed <= count; seed += 1) {
      const made = await this.#create(resource, create, { parents, seed });
      if (made === undefined) return;
      items.push(made);
    }
  }

  /**
   * The values of the path parameters of a resource: those of an item of its parent, and generated ones. `undefined` if
   * the parent has no item.
   */
  #valuesOfParents(resource: MappedResource, all: readonly MappedResource[]): readonly string[] | undefined {
    const outer = all.find(({ path }) => path === resource.parent?.path);
    const known = outer === undefined ? [] : this.#items.get(outer.path)?.[0]?.values;
    const [operation] = resource.operations;
    const sample = operation && this.#sample(operation, [], { seed: 1, variant: 'minimal' });
    if (known === undefined || sample === undefined) return undefined;
    return parametersOf(resource.path).map((name, index) => {
      const [, value] = [...sample.parameters].find(([one]) => one.in === 'path' && one.name === name) ?? [];
      return known[index] ?? scalarText(value);
    });
  }

  async #create(
    resource: MappedResource,
    mapped: MappedOperation,
    { parents, seed }: { readonly parents: readonly string[]; readonly seed: number },
  ): Promise<LivedItem | undefined> {
    const { call, response } =
      (await this.#sendAccepted(mapped, parents, { seed, variants: ['minimal', 'typical'] })) ?? {};
    if (call === undefined || response === undefined) return undefined;
    if (!isSuccess(response)) {
      this.#report(resource, mapped, `a creation with generated values was refused: ${showRefusal(response)}`);
      return undefined;
    }
    const sent = openMember(call.body?.value, mapped.bodyIn);
    const place = { parents, sent };
    const id =
      createdIdIn(response, resource) ??
      idIn(response, resource, mapped) ??
      idInLocation(response) ??
      (await this.#findId(resource, response, place));
    if (id === undefined) {
      const missing = resource.id === undefined ? 'an id' : `the id ${resource.id.member}`;
      if (operationOf(resource, 'read') !== undefined)
        this.#report(resource, mapped, `the response to a creation does not show ${missing}, and has no Location`);
      return undefined;
    }
    const shown = openMember(response.json, mapped.itemIn);
    const known = { ...(isRecord(sent) ? sent : {}), ...(isRecord(shown) ? shown : {}) };
    const outer = Object.values(resource.id?.outer ?? {}).map((pointer) => textAt(shown, pointer, {}) ?? '');
    return { id, values: [...parents, ...outer, id], known };
  }

  /** Finds the id of an item whose creation has no content: it was sent, or the list shows one that is new. */
  async #findId(
    resource: MappedResource,
    { text }: Reading,
    { parents, sent }: { readonly parents: readonly string[]; readonly sent: unknown },
  ): Promise<string | undefined> {
    if (text !== '' || resource.id === undefined) return undefined;
    const given = textAt(sent, resource.id.member, resource.id);
    const list = given === undefined ? operationOf(resource, 'list') : undefined;
    const response = list && (await this.#sendTo(list, parents));
    if (list === undefined || response === undefined || !isSuccess(response)) return given;
    const known = new Set((this.#items.get(resource.path) ?? []).map(({ id }) => id));
    return idsIn(response, resource, list)?.findLast((id) => !known.has(id));
  }

  /** Sends generated values in several variants until the mock accepts one: no schema states all of its rules. */
  async #sendAccepted(
    mapped: MappedOperation,
    values: readonly string[],
    { seed, variants }: { readonly seed: number; readonly variants: readonly CallStyle['variant'][] },
  ): Promise<{ readonly call: Call; readonly response: Reading } | undefined> {
    let last: { readonly call: Call; readonly response: Reading } | undefined;
    for (const variant of variants) {
      const call = this.#sample(mapped, values, { seed, variant });
      const response = call && (await this.#send(call));
      if (call === undefined || response === undefined) continue;
      last = { call, response };
      if (isSuccess(response)) return last;
    }
    return last;
  }

  async #read(resource: MappedResource, item: LivedItem): Promise<void> {
    const mapped = operationOf(resource, 'read');
    const response = mapped && (await this.#sendTo(mapped, item.values));
    if (mapped === undefined || response === undefined) return;
    if (!isSuccess(response)) {
      this.#report(
        resource,
        mapped,
        `an item that was created cannot be read by its id ${showJson(item.id)}: ${showRefusal(response)}`,
      );
      return;
    }
    const shown = idIn(response, resource, mapped);
    if (shown !== undefined && shown !== item.id)
      this.#report(resource, mapped, `the read of ${showJson(item.id)} shows another item, ${showJson(shown)}`);
  }

  async #list(
    resource: MappedResource,
    { parents, items }: { readonly parents: readonly string[]; readonly items: readonly LivedItem[] },
  ): Promise<void> {
    const mapped = operationOf(resource, 'list');
    const filters = resource.lists.find(({ operationId }) => operationId === mapped?.operationId)?.filters ?? [];
    const call = mapped && this.#sample(mapped, parents, { seed: 1, variant: 'minimal' });
    const [first] = items;
    const asked = call && first !== undefined ? withFilters(call, filters, first.known) : call;
    const response = asked && (await this.#send(asked));
    if (mapped === undefined || asked === undefined || response === undefined) return;
    if (!isSuccess(response)) {
      // Without items, it is not known whether there is something at this path.
      if (items.length > 0) this.#report(resource, mapped, `the list was refused: ${showRefusal(response)}`);
      return;
    }
    const shown = idsIn(response, resource, mapped);
    if (shown === undefined) return;
    const members = filters.map(({ parameter, member, test }) => ({
      name: parameter,
      path: splitPointer(member),
      test,
    }));
    if (first !== undefined && asksForOther(asked, members, first.known)) return;
    const isFiltered = filters.some(({ parameter }) =>
      [...asked.parameters.keys()].some(({ name }) => name === parameter),
    );
    const missing = items.slice(0, isFiltered ? 1 : items.length).find(({ id }) => !shown.includes(id));
    if (missing !== undefined)
      this.#report(resource, mapped, `the item ${showJson(missing.id)} that was created is not in the list`);
  }

  async #readSingleton(resource: MappedResource, parents: readonly string[]): Promise<void> {
    const mapped = operationOf(resource, 'read');
    const response = mapped && (await this.#sendTo(mapped, parents));
    if (mapped === undefined || response === undefined || isSuccess(response)) return;
    if (resource.parent !== undefined || parents.length === 0)
      this.#report(resource, mapped, `the read was refused: ${showRefusal(response)}`);
  }

  /** Changes the first item of a resource, and looks whether a read shows the change. */
  async change(resource: MappedResource): Promise<void> {
    const read = operationOf(resource, 'read');
    const [item] = this.#items.get(resource.path) ?? [];
    for (const role of ['update', 'replace'] as const) {
      const mapped = operationOf(resource, role);
      if (mapped === undefined || item === undefined) continue;
      const { call, response } =
        (await this.#sendAccepted(mapped, item.values, { seed: ITEMS + 1, variants: ['typical', 'minimal'] })) ?? {};
      if (call === undefined || response === undefined) continue;
      if (!isSuccess(response)) {
        this.#report(resource, mapped, `a change with generated values was refused: ${showRefusal(response)}`);
        continue;
      }
      const after = read && (await this.#sendTo(read, item.values));
      if (read === undefined || after === undefined) continue;
      const sent = openMember(call.body?.value, mapped.bodyIn);
      const shown = openMember(after.json, read.itemIn);
      const lost = findLost(sent, shown, resource.id?.member);
      if (lost !== undefined)
        this.#report(resource, mapped, `the change of ${showJson(lost)} is not shown by ${read.operationId}`);
    }
  }

  /** Deletes the first item of a resource, and looks whether it is gone. */
  async end(resource: MappedResource): Promise<void> {
    const mapped = operationOf(resource, 'delete');
    const [item] = this.#items.get(resource.path) ?? [];
    const response = mapped && item && (await this.#sendTo(mapped, item.values));
    if (mapped === undefined || item === undefined || response === undefined) return;
    if (!isSuccess(response)) {
      this.#report(resource, mapped, `the deletion of an item was refused: ${showRefusal(response)}`);
      return;
    }
    const read = operationOf(resource, 'read');
    const after = read && (await this.#sendTo(read, item.values));
    if (after !== undefined && isSuccess(after))
      this.#report(resource, mapped, 'an item can still be read after its deletion');
    const list = operationOf(resource, 'list');
    const listed = list && (await this.#sendTo(list, item.values.slice(0, -1)));
    if (list !== undefined && listed !== undefined && idsIn(listed, resource, list)?.includes(item.id) === true)
      this.#report(resource, list, 'an item is still in the list after its deletion');
  }

  /** Only the first problem of an operation counts: the others mostly have the same cause. */
  #report({ path }: MappedResource, { operationId }: MappedOperation, message: string): void {
    if (this.problems.every((one) => one.operationId !== operationId))
      this.problems.push({ path, operationId, message });
  }

  #sample(mapped: MappedOperation, values: readonly string[], style: CallStyle): Call | undefined {
    const operation = this.#operations.get(mapped.operationId);
    const call = operation && sampleCall(operation, style, this.#context.api);
    return call === undefined ? undefined : withValues(call, mapped, values);
  }

  async #sendTo(mapped: MappedOperation, values: readonly string[]): Promise<Reading | undefined> {
    const call = this.#sample(mapped, values, { seed: 1, variant: 'minimal' });
    return call === undefined ? undefined : this.#send(call);
  }

  /** Sends a call; `undefined` if HTTP cannot send it. */
  async #send(call: Call): Promise<Reading | undefined> {
    const request = writeCall(call, this.#context);
    if (request === undefined) return undefined;
    const { url, ...init } = request;
    const response = await this.#target.fetch(url, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parseExactText(text) };
  }
}
