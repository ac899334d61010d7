import { isSuccess } from '../../http/messages.js';
import type { Api, Operation, Parameter } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { isSafeMethod } from '../../model/http-method.js';
import { isValidValue } from '../../schema/compile-validator.js';
import { takeAt } from '../../schema/value-path.js';
import { type VersionMember, findVersion, versionsShown } from '../checks/version-members.js';
import { isValidBody, writeAt } from '../plan/call-body.js';
import type { Call, Case, Exchange } from '../types.js';
import { pathValues } from './ids/id-slot.js';

/** Writes and sends requests. */
interface Wire {
  /** The path of a call; `undefined` if HTTP cannot send it. */
  readonly pathOf: (call: Call) => string | undefined;
  readonly read: (reading: Pick<Case, 'call' | 'phase'>) => Promise<void>;
}

/**
 * The latest `ETag` of each item, and the latest `revision` and the like that its body shows. Operations with `If-Match`
 * are sent with the tag (RFC 9110, 13.1.1), and bodies with the version that they are based on.
 */
export class CurrentTags {
  readonly #api: Api;
  readonly #wire: Wire;
  /** By the path of the item. */
  readonly #tags = new Map<string, string>();
  /** By the path of the item: the members of its body that are its version. */
  readonly #versions = new Map<string, ReadonlyMap<string, unknown>>();

  constructor(api: Api, wire: Wire) {
    this.#api = api;
    this.#wire = wire;
  }

  /**
   * Returns the same case with the current tag and version of its item, if the operation takes one. Reads the item if no
   * response has shown it.
   */
  async withCurrent(tried: Case): Promise<Case> {
    return this.#withVersion(await this.#withTag(tried));
  }

  async #withVersion(tried: Case): Promise<Case> {
    const { call } = tried;
    const { body } = call;
    const place = this.#versionPlace(call);
    const reading = place === undefined ? undefined : this.#readingOf(call);
    const path = reading === undefined ? undefined : this.#wire.pathOf(reading);
    if (body === undefined || place === undefined || reading === undefined || path === undefined) return tried;
    if (!this.#versions.has(path)) await this.#wire.read({ call: reading, phase: tried.phase });
    const current = this.#versions.get(path)?.get(place.name);
    if (current === undefined || current === takeAt(body.value, place.path)) return tried;
    return { ...tried, call: { ...call, body: { ...body, value: writeAt(body.value, place.path, current) } } };
  }

  /** Where a valid body has the version that it is based on. */
  #versionPlace({ operation, body, keepsVersion, method }: Call): VersionMember | undefined {
    if (body === undefined || body.raw !== undefined || keepsVersion === true || method !== undefined) return undefined;
    const place = findVersion(operation, body.media, this.#api);
    if (place === undefined || takeAt(body.value, place.path) === undefined) return undefined;
    return isValidBody(body, this.#api) ? place : undefined;
  }

  async #withTag(tried: Case): Promise<Case> {
    const { call } = tried;
    if (call.headers?.['if-match'] !== undefined || !this.#takesTag(call)) return tried;
    const reading = this.#readingOf(call);
    const path = reading === undefined ? undefined : this.#wire.pathOf(reading);
    if (reading === undefined || path === undefined) return tried;
    if (!this.#tags.has(path)) await this.#wire.read({ call: reading, phase: tried.phase });
    const tag = this.#tags.get(path);
    return tag === undefined ? tried : { ...tried, call: { ...call, tag } };
  }

  /** Learns tags from a response, and forgets those of changed items. */
  learn({ method, operation }: Call, { request, status, headers, json }: Exchange): void {
    const { pathname } = new URL(request.url);
    const isDone = isSuccess({ status });
    const isChange = !isSafeMethod(method ?? operation.method);
    if ((isChange && isDone) || status === 412)
      for (const path of pathsAround(pathname)) for (const known of [this.#tags, this.#versions]) known.delete(path);
    // A refused change may be based on an outdated version.
    if (isChange && status === 409) this.#versions.delete(pathname);
    const tag = headers.get('etag');
    const isOfItem = operation.method === 'get' || operation.method === 'put' || operation.method === 'patch';
    if (isDone && isOfItem && tag !== null) this.#tags.set(pathname, tag);
    if (isDone && isOfItem && isRecord(json)) this.#versions.set(pathname, versionsShown(json));
    // The tag of a 201 is that of the item that was made (RFC 9110, 15.3.2).
    const place = status === 201 && operation.method === 'post' ? headers.get('location') : null;
    if (place !== null && tag !== null && URL.canParse(place, request.url))
      this.#tags.set(new URL(place, request.url).pathname, tag);
  }

  #takesTag({ parameters }: Call): boolean {
    const condition = [...parameters].find(([one]) => isTag(one));
    if (condition === undefined) return false;
    const [{ schema }, value] = condition;
    // Keeps a value that was broken on purpose.
    return isValidValue(value, schema, this.#api);
  }

  /** The call that reads the item of another call: `GET /orders/{id}` for `POST /orders/{id}/submit`. */
  #readingOf(call: Call): Call | undefined {
    const { operation } = call;
    const read = this.#api.operations
      .filter((one) => one.method === 'get' && one.path.endsWith('}') && isAround(one, operation))
      .toSorted((one, other) => other.path.length - one.path.length)[0];
    if (read === undefined) return undefined;
    const values = pathValues(call);
    const own = read.parameters.filter((one) => one.in === 'path').map((one) => [one, values.get(one.name)] as const);
    return { operation: read, parameters: new Map(own) };
  }
}

/** A path, and those of the items that it may be below, also as an action (`:cancel`). */
function pathsAround(pathname: string): string[] {
  return [...[...pathname.matchAll(/[/:]/g)].map(({ index }) => pathname.slice(0, index)), pathname];
}

/** Whether a parameter has the tag of an item: the run sends the current one, whatever a call has. */
export function isTag({ in: place, name }: Parameter): boolean {
  return place === 'header' && name.toLowerCase() === 'if-match';
}

function isAround({ path }: Operation, inner: Operation): boolean {
  return inner.path === path || inner.path.startsWith(`${path}/`) || inner.path.startsWith(`${path}:`);
}
