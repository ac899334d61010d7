import { isSafeMethod, wireMethod } from '../../../model/http-method.js';
import type { Api, Operation, Parameter } from '../../../model/api.js';
import { getOrInsert } from '../../../model/maps.js';
import { listPathOf } from '../../../resources/envelope.js';
import { parseTemplate, templateKey } from '../../../resources/path-template.js';
import type { Resource } from '../../../resources/resource.js';
import { keywordOf } from '../../../schema/facts/members.js';
import { takeAt } from '../../../schema/value-path.js';
import { scalarText } from '../../../http/request/write-request.js';
import type { ChangedThing } from '../../../reports/contract/contract-report.js';
import type { Call } from '../../types.js';
import type { IdPool } from '../ids/id-pool.js';
import type { MadeItem } from '../ids/made-items.js';
import { pathValues, slotValue } from '../ids/id-slot.js';
import { changingWord, isWide } from './changing-words.js';
import { logsOut } from './ends-session.js';

/**
 * What a request may do to things that were there before the run: nothing; write a single thing, such as `/settings`,
 * whose value can be restored; or change or end them.
 */
export type Harm = 'none' | 'restorable' | 'harmful';

/** A place of a call that names an item. */
interface NamedItem {
  readonly value: unknown;
  /** The kinds of item that it may be; none if no operation shows such items. */
  readonly resources: readonly Resource[];
  readonly isGiven: boolean;
  readonly parameter?: Parameter;
}

/**
 * Judges each request before it is sent: only items that the run has made are changed. What an operation does is known
 * from its method, its path and the resources of the API; with remote procedures, it is a guess from words.
 */
export class HarmGuard {
  readonly #api: Api;
  readonly #pool: IdPool;
  readonly #changed = new Map<string, ChangedThing>();
  /** Whether a path is that of a single thing. */
  readonly #things = new Map<string, boolean>();

  constructor(api: Api, pool: IdPool) {
    this.#api = api;
    this.#pool = pool;
  }

  /** The requests that may have changed things that were there before the run. */
  get changed(): readonly ChangedThing[] {
    return [...this.#changed.values()];
  }

  /** Notes that an operation may have changed a thing that was there before the run. */
  noteChange({ id, method }: Operation, url: string): void {
    const { pathname, search } = new URL(url);
    const request = `${wireMethod(method)} ${pathname}${search}`;
    this.#changed.set(request, { operationId: id, request });
  }

  harmOf(call: Call): Harm {
    const { operation, address } = call;
    const method = (call.method ?? operation.method).toLowerCase();
    // An address comes from a response about the run's own upload or page.
    if (isSafeMethod(method) || address !== undefined) return 'none';
    if (call.method === undefined && this.#isRead(operation)) return 'none';
    const inPath = this.#itemsInPath(call);
    // A session is that of the run's own credential.
    if (inPath.length === 0 && call.method === undefined && logsOut(operation)) return 'none';
    if (inPath.some(({ value }) => /^[.\s]*$/.test(decode(scalarText(value)))) || !this.#ownIdsAreFree(call))
      return 'harmful';
    return method === 'post' ? this.#harmOfPost(call, inPath) : this.#harmOfChange(call, inPath);
  }

  /** Whether an operation shows items although its method may change something. */
  #isRead(operation: Operation): boolean {
    return this.#pool.resources.some(({ list, read }) => list === operation || read === operation);
  }

  /** Whether the ids that a body gives to its item belong to no item from before the run. */
  #ownIdsAreFree(call: Call): boolean {
    const { operation } = call;
    const named = this.#pool.slotsOf(operation).flatMap(([one, slot]) => (slot.in === 'body' ? [one] : []));
    const kinds = [...this.#pool.roles.writtenBy(operation), ...named];
    const around = pathValues(call);
    const isHere = ({ parents }: MadeItem): boolean =>
      [...around].every(([name, value]) => !parents.has(name) || scalarText(parents.get(name)) === scalarText(value));
    const mayBeNear = call.method === undefined && this.#makes(call);
    return this.#pool.ownIds.valuesIn(call).every((id) => {
      if (this.#pool.isGivenInBody(id)) return true;
      if (this.#pool.items.made.with(id, kinds).some(isHere) && !this.#pool.items.isSeen(id)) return true;
      const isExample = this.#pool.ownIds.isExample(operation, id);
      if (!isExample && this.#pool.items.isFree(id, kinds)) return true;
      return mayBeNear && !this.#pool.items.isSeen(id) && this.#isUncommon(id, call);
    });
  }

  /** Whether a value that a short schema allows is at least no usual id. */
  #isUncommon(id: unknown, call: Call): boolean {
    if (typeof id === 'number') return id >= 1_000 && this.#pool.ownIds.isShort(call, id);
    if (typeof id !== 'string' || /^\s*[-+]?\d/.test(id)) return false;
    return id.length >= 2 && !USUAL.test(id) && this.#pool.ownIds.isShort(call, id);
  }

  /** Whether a call makes new items, as far as is known. A body may say otherwise: `{ query: 'mutation { … }' }`. */
  #makes(call: Call): boolean {
    const { operation } = call;
    if (this.#pool.roles.isCreation(operation)) return true;
    if (operation.method !== 'post' || changingWord(call) !== undefined) return false;
    const list = this.#at(operation.path, 'get');
    return list !== undefined && listPathOf(list, this.#api) !== undefined;
  }

  #harmOfPost(call: Call, inPath: readonly NamedItem[]): Harm {
    const { operation } = call;
    const isDocumented = call.method === undefined;
    if (isDocumented && this.#makes(call)) return 'none';
    const changes =
      changingWord(call) !== undefined ||
      this.#pool.resources.some((one) => [one.delete, one.patch, one.replace].includes(operation));
    if (changes) return this.#isOnlyAboutOwn(call, inPath) ? 'none' : 'harmful';
    const last = inPath.at(-1);
    if (last === undefined) return this.#isThing(operation.path) ? this.#harmOfThing(call) : 'none';
    if (this.#isOwn(call, inPath)) return 'none';
    const isInside = isDocumented && !operation.path.endsWith('}') && last.resources.every((one) => !isMade(one));
    return isInside ? 'none' : 'harmful';
  }

  #harmOfChange(call: Call, inPath: readonly NamedItem[]): Harm {
    const { operation } = call;
    if (call.method === undefined && this.#pool.roles.isCreation(operation)) return 'none';
    if (inPath.length === 0) {
      const isAboutItem = call.method === undefined && this.#pool.slotsOf(operation).length > 0;
      return isAboutItem && this.#isOnlyAboutOwn(call, inPath) ? 'none' : this.#harmOfThing(call);
    }
    if (this.#isOwn(call, inPath)) return 'none';
    return operation.path.endsWith('}') ? 'harmful' : this.#harmOfThing(call);
  }

  /** Whether a request names items, and only those of the run. */
  #isOnlyAboutOwn(call: Call, inPath: readonly NamedItem[]): boolean {
    if (isWide(call)) return false;
    const others = this.#itemsElsewhere(call);
    const named = inPath.length + others.length > 0;
    return named && (inPath.length === 0 || this.#isOwn(call, inPath)) && others.every((one) => this.#isFree(one));
  }

  /** Whether the innermost item of a path, and those around it, belong to the run or hardly exist. */
  #isOwn(call: Call, inPath: readonly NamedItem[]): boolean {
    const last = inPath.at(-1);
    if (last === undefined) return false;
    if (last.isGiven) return true;
    const made = this.#pool.items.made.with(last.value, last.resources);
    if (made.length === 0) return this.#isFree(last);
    const values = pathValues(call);
    return made.some(({ parents }) =>
      inPath.slice(0, -1).every((outer) => {
        const name = outer.parameter?.name ?? '';
        const known = parents.get(name);
        return (known !== undefined && scalarText(known) === scalarText(values.get(name))) || this.#isFree(outer);
      }),
    );
  }

  /** Whether an item belongs to the run, or hardly exists. */
  #isFree({ value, resources, isGiven, parameter }: NamedItem): boolean {
    if (isGiven || this.#pool.items.made.with(value, resources).length > 0) return true;
    // The examples of a spec often exist.
    if (parameter?.examples.some((example) => scalarText(example.value) === scalarText(value)) === true) return false;
    return this.#pool.items.isFree(value, resources);
  }

  /** A single thing that is read and written at its path can be restored; a collection cannot. */
  #harmOfThing(call: Call): Harm {
    const { operation } = call;
    const isWrite = call.method === undefined && operation.method !== 'delete';
    return isWrite && this.#isThing(operation.path) ? 'restorable' : 'harmful';
  }

  #isThing(path: string): boolean {
    return getOrInsert(this.#things, path, () => this.#findThing(path));
  }

  #findThing(path: string): boolean {
    const read = this.#at(path, 'get');
    if (read === undefined) return false;
    const key = keyOf(path);
    if (this.#api.operations.some((one) => keyOf(one.path).startsWith(`${key}/{}`))) return false;
    const isWritten = this.#at(path, 'put') ?? this.#at(path, 'patch');
    return (
      isWritten !== undefined && (this.#at(path, 'post') === undefined || listPathOf(read, this.#api) === undefined)
    );
  }

  #at(path: string, method: Operation['method']): Operation | undefined {
    return this.#api.operations.find((one) => one.path === path && one.method === method);
  }

  /** The items that a path names, the outermost first. Words of a fixed list name no items. */
  #itemsInPath(call: Call): NamedItem[] {
    const { operation } = call;
    const slots = this.#pool.slotsOf(operation);
    return [...operation.path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]): NamedItem[] => {
      const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
      if (parameter === undefined) return [{ value: 'specmill', resources: [], isGiven: false }];
      if (this.#isFixed(parameter)) return [];
      const value = call.parameters.get(parameter) ?? 'specmill';
      const own = slots.filter(([, slot]) => slot.in === 'parameter' && slot.parameter === parameter);
      const isGiven = this.#pool.isGivenByUser(operation, { in: 'parameter', parameter }, value);
      return [{ value, resources: own.map(([resource]) => resource), isGiven, parameter }];
    });
  }

  #isFixed({ schema }: Parameter): boolean {
    return (['enum', 'const'] as const).some((keyword) => keywordOf(schema, keyword, this.#api) !== undefined);
  }

  /** The items that the query, the headers and the body of a call name. */
  #itemsElsewhere(call: Call): NamedItem[] {
    const { operation, body } = call;
    const mentioned = this.#pool.resources.flatMap((resource) => {
      const slot = resource.references.get(operation);
      return slot === undefined ? [] : [[resource, slot] as const];
    });
    const slots = [...this.#pool.slotsOf(operation), ...mentioned].flatMap(([resource, slot]): NamedItem[] => {
      const value = slot.in === 'parameter' && slot.parameter.in === 'path' ? undefined : slotValue(call, slot);
      if (value === undefined) return [];
      return [{ value, resources: [resource], isGiven: this.#pool.isGivenByUser(operation, slot, value) }];
    });
    const inBody = this.#pool.references.placesIn(call).map((place): NamedItem => ({
      value: takeAt(body?.value, place),
      resources: this.#pool.references.kindsAt(call, place),
      isGiven: false,
    }));
    return [...slots, ...inBody];
  }
}

function isMade({ create, creators }: Resource): boolean {
  return create !== undefined || creators.length > 0;
}

const USUAL = /^(?:true|false|null|nil|none|undefined|nan|all|any|me|self|new|default|admin|root|main|master|test)$/i;

function keyOf(path: string): string {
  return templateKey(parseTemplate(path).segments);
}

function decode(text: string): string {
  return text.replaceAll(/%2e/gi, '.');
}
