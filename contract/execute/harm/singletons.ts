import { isEqual } from '../../../runtime/checks.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { isRecord } from '../../../model/document/records.js';
import type { Api, Operation } from '../../../model/api.js';
import { memberSchemas } from '../../../schema/facts/members.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import type { Call, CallBody, Case, Exchange } from '../../types.js';
import { pathValues } from '../ids/id-slot.js';

/** A single thing, and how it was before the run. */
interface Kept {
  readonly read: Call;
  readonly write: Call;
  /** The value that restores it. */
  readonly body: CallBody;
  readonly url: string;
  isChanged: boolean;
}

/** An operation, and the URL at which it changed something. */
interface ChangedAddress {
  readonly operation: Operation;
  readonly url: string;
}

type Send = (tried: Case) => Promise<Exchange | undefined>;

/** Reads single things, such as `/settings`, before the run writes them, and restores them at its end. */
export class Singletons {
  readonly #api: Api;
  /** The operations that the run may send. */
  readonly #operations: readonly Operation[];
  readonly #send: Send;
  /** By the path of the thing: how it was before its first write. */
  readonly #before = new Map<string, Exchange | undefined>();
  /** By the path of the thing, and the operation that writes it. */
  readonly #kept = new Map<string, Kept | undefined>();

  /** @param send - sends a request that no check judges. */
  constructor({ api, operations }: { readonly api: Api; readonly operations: readonly Operation[] }, send: Send) {
    this.#api = api;
    this.#operations = operations;
    this.#send = send;
  }

  /** Whether a thing can be restored after a write. Reads it if no write was tried before. */
  async mayWrite(write: Call): Promise<boolean> {
    const key = keyOf(write);
    if (!this.#kept.has(key)) this.#kept.set(key, await this.#read(write));
    const kept = this.#kept.get(key);
    return (
      kept !== undefined && (kept.write.operation.method === 'put' || hasOnlyMembersOf(write.body, kept.body.value))
    );
  }

  /** Notes that a thing may have been written. */
  noteWrite(write: Call): void {
    const kept = this.#kept.get(keyOf(write));
    if (kept !== undefined) kept.isChanged = true;
  }

  /** Restores all things that were written. Returns where one differs from before nevertheless. */
  async restore(): Promise<readonly ChangedAddress[]> {
    const different: ChangedAddress[] = [];
    for (const kept of this.#kept.values()) {
      if (kept?.isChanged !== true) continue;
      if (!(await this.#isAsBefore(kept))) {
        await this.#send(plain({ ...kept.write, body: kept.body }));
        if (!(await this.#isAsBefore(kept))) different.push({ operation: kept.write.operation, url: kept.url });
      }
      kept.isChanged = false;
    }
    return different;
  }

  async #read(write: Call): Promise<Kept | undefined> {
    const read = sibling(write, 'get', this.#api.operations);
    if (read === undefined) return undefined;
    const key = keyOf(read);
    if (!this.#before.has(key)) {
      // The same thing may have several addresses: it is read as it was before all writes.
      await this.restore();
      this.#before.set(key, await this.#send(plain(read)));
    }
    const shown = this.#before.get(key);
    if (shown?.status !== 200) return undefined;
    // A replacement also removes what a partial write has added.
    const replacement = sibling(write, 'put', this.#operations);
    for (const restoring of [...(replacement === undefined ? [] : [replacement]), write]) {
      const body = this.#bodyShown(restoring, shown);
      if (body !== undefined) return { read, write: restoring, body, url: shown.request.url, isChanged: false };
    }
    return undefined;
  }

  /** The body that writes what a response shows. */
  #bodyShown({ operation, body }: Call, shown: Exchange): CallBody | undefined {
    const media = body?.media ?? operation.body?.content[0];
    if (media === undefined) return undefined;
    const value = this.#writable(shown.json, media.schema ?? true);
    return isRecord(value) && isValidValue(value, media.schema ?? true, this.#api) ? { media, value } : undefined;
  }

  /** The members of a value that a request may have. */
  #writable(value: unknown, schema: NonNullable<CallBody['media']['schema']>): unknown {
    const members = memberSchemas(schema, this.#api);
    if (!isRecord(value) || members.size === 0) return value;
    const isReadOnly = (name: string): boolean => {
      const member = members.get(name);
      return typeof member === 'object' && member.readOnly === true;
    };
    return Object.fromEntries(
      Object.entries(value).filter(([name]) => (schema === true || members.has(name)) && !isReadOnly(name)),
    );
  }

  async #isAsBefore({ read, body }: Kept): Promise<boolean> {
    const now = await this.#send(plain(read));
    const value = this.#writable(now?.json, body.media.schema ?? true);
    return now?.status === 200 && isEqual(value, body.value);
  }
}

function plain(call: Call): Case {
  return { phase: 'stateful', call, expectation: { kind: 'valid' } };
}

/** One key for each thing and operation: a partial write restores other members than a replacement. */
function keyOf({ operation, parameters }: Call): string {
  const values = [...parameters].flatMap(([one, value]) => (one.in === 'query' ? [] : [[one.name, value]]));
  return stringifyExactJson([operation.id, values]);
}

/** The call itself, or one of another method on the same thing; `undefined` if it needs more than the call has. */
function sibling(write: Call, wanted: Operation['method'], operations: readonly Operation[]): Call | undefined {
  const { path, method } = write.operation;
  if (method === wanted) return write;
  const found = operations.find((one) => one.path === path && one.method === wanted);
  return found === undefined ? undefined : onSameThing(found, write);
}

/** Returns a call on the thing that another call writes; `undefined` if it needs more than that call has. */
function onSameThing(operation: Operation, write: Call): Call | undefined {
  const inPath = pathValues(write);
  const found = operation.parameters.flatMap((parameter) => {
    const same = [...write.parameters].find(([one]) => one.in === parameter.in && one.name === parameter.name);
    const value = parameter.in === 'path' ? inPath.get(parameter.name) : same?.[1];
    return value === undefined ? [] : [[parameter, value] as const];
  });
  const parameters = new Map(found);
  const isComplete = operation.parameters.every((one) => !one.required || parameters.has(one));
  return isComplete ? { operation, parameters } : undefined;
}

/** Whether a partial write only has members that can be written back. */
function hasOnlyMembersOf(body: CallBody | undefined, before: unknown): boolean {
  if (body === undefined) return true;
  if (body.raw !== undefined || !isRecord(body.value) || !isRecord(before)) return false;
  return Object.keys(body.value).every((name) => Object.hasOwn(before, name));
}
