import type { Operation } from '../../model/api.js';
import { appendPointer, splitPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { type Id, idsOf, isId, lastPartOf } from '../../resources/extract-id.js';
import { successSchema } from '../../resources/success-response.js';
import { memberSchemas } from '../../schema/facts/members.js';
import type { ContractRun } from '../execute/contract-run.js';
import type { Call, Exchange } from '../types.js';
import type { CrudContext } from './crud-context.js';

/** A completed operation, and its item before it. */
export interface Done {
  readonly crud: CrudContext;
  readonly call: Call;
  readonly before: Exchange;
  readonly exchange: Exchange;
}

/** An item as a response shows it. */
export interface ShownItem {
  readonly item: Readonly<Record<string, unknown>>;
  /** Pointer to the item in the response. */
  readonly pointer: string;
}

/** Finds the item in a response, which may have it in an envelope. */
export function itemIn(json: unknown, { id, resource }: CrudContext): ShownItem | undefined {
  if (!isRecord(json)) return undefined;
  const places = [
    ['', json] as const,
    ...Object.entries(json).map(([name, value]) => [appendPointer('', name), value] as const),
  ];
  return places
    .flatMap(([pointer, item]) => (isRecord(item) ? [{ item, pointer }] : []))
    .find(({ item }) => idsOf(item, resource).some((own) => lastPartOf(own) === lastPartOf(id) && isOwn(item, own)));
}

/** Whether an id belongs to the object itself, not to one inside it. */
function isOwn(item: Readonly<Record<string, unknown>>, id: Id): boolean {
  return Object.values(item).some((value) => isId(value) && lastPartOf(value) === lastPartOf(id));
}

/** The members of an item at its pointer in the response that reads it. */
export function itemMembers(
  read: Operation,
  pointer: string,
  { options: { api } }: ContractRun,
): ReadonlyMap<string, Schema> {
  const whole = memberSchemas(successSchema(read), api);
  return pointer === '' ? whole : memberSchemas(whole.get(splitPointer(pointer)[0] ?? '') ?? true, api);
}
