import type { CallOptions, RequestValues } from './context.js';
import { ApiError, type HeaderValues } from './errors.js';
import { readPointer, writePointer } from './pointer.js';

/** The members of objects that only the service sets, by name of the object's schema. */
export type ReadOnlyMembers = Readonly<Record<string, ReadOnlyRule>>;

interface ReadOnlyRule {
  readonly drop?: readonly string[];
  /** Members that have such members inside -> the name of their schema; `*` stands for all others. */
  readonly inside?: Readonly<Record<string, string>>;
}

/** How what is read becomes what is written. */
export interface ChangePlan {
  /** JSON pointer into the answer: what is changed. Default: all of it. */
  readonly from?: string;
  /** JSON pointer into the body: where it goes. Default: it is the body. */
  readonly to?: string;
  /** Values of the reading request -> values of the writing one, as JSON pointers into each. */
  readonly copy: readonly (readonly [from: string, to: string])[];
  /** Where the tag of the state is found, and the header that makes the write depend on it. */
  readonly etag?: { readonly header?: string; readonly pointer?: string; readonly condition: string };
  /** Statuses that say that somebody else was faster. */
  readonly conflict: readonly number[];
  readonly readOnly?: ReadOnlyMembers;
  /** The schema that the changed value starts with. */
  readonly schema?: string;
}

/** How to change. */
export interface ChangeOptions extends CallOptions {
  /** How often to read anew where somebody else was faster. Default: 3. */
  readonly retries?: number | undefined;
}

interface ReadAnswer {
  readonly data: unknown;
  readonly headers: HeaderValues;
}

/** The calls that a change is made of. */
export interface ChangeCalls<Read, Write, Answer> {
  readonly read: (request: Read) => Promise<ReadAnswer>;
  readonly write: (request: Write) => Promise<Answer>;
}

/** What a change starts with. */
export interface ChangeArguments<Read, Draft> {
  readonly request: Read;
  readonly change: (draft: Draft) => Draft | void | Promise<Draft | void>;
  readonly options: ChangeOptions | undefined;
}

/**
 * Reads, changes and writes. What the change does not touch is written as it was read; members that only the service sets
 * are left out. Where somebody else was faster, it reads anew and makes the change again.
 *
 * @throws ApiError of either call; that of the last write where somebody else was faster each time.
 */
export async function readChangeWrite<Read extends RequestValues, Write extends RequestValues, Draft, Answer>(
  { read, write }: ChangeCalls<Read, Write, Answer>,
  plan: ChangePlan,
  { request, change, options = {} }: ChangeArguments<Read, Draft>,
): Promise<Answer> {
  for (let retries = options.retries ?? 3; ; retries -= 1) {
    const answer = await read(request);
    const draft = dropReadOnly(
      // What was left out because it is empty can be filled all the same.
      readPointer(answer.data, plan.from ?? '') ?? {},
      plan.readOnly ?? {},
      plan.schema ?? '',
    ) as Draft;
    const changed = (await change(draft)) ?? draft;
    options.signal?.throwIfAborted();
    let written = writePointer({}, `/body${plan.to ?? ''}`, changed);
    for (const [from, to] of plan.copy) {
      const value = readPointer(request, from);
      if (value !== undefined) written = writePointer(written, to, value);
    }
    const etag = findTag(answer, plan);
    if (etag !== undefined) written = writePointer(written, `/headers/${plan.etag?.condition}`, etag);
    try {
      return await write(written as Write);
    } catch (error) {
      if (!(error instanceof ApiError) || !plan.conflict.includes(error.status) || retries <= 0) throw error;
    }
  }
}

function findTag({ data, headers }: ReadAnswer, { etag }: ChangePlan): unknown {
  return etag?.pointer === undefined ? headers[etag?.header ?? ''] : readPointer(data, etag.pointer);
}

/** A copy of a value without the members that only the service sets. */
function dropReadOnly(value: unknown, rules: ReadOnlyMembers, schema: string): unknown {
  if (Array.isArray(value)) return value.map((item) => dropReadOnly(item, rules, schema));
  if (typeof value !== 'object' || value === null) return value;
  const { drop, inside = {} } = (Object.hasOwn(rules, schema) ? rules[schema] : undefined) ?? {};
  const members = Object.entries(value).filter(([name]) => !drop?.includes(name));
  const next = (name: string): string => (Object.hasOwn(inside, name) ? inside[name] : inside['*']) ?? '';
  return Object.fromEntries(members.map(([name, member]) => [name, dropReadOnly(member, rules, next(name))]));
}
