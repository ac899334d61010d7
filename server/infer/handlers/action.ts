import { timeWriterOf } from '../server-managed-fields.js';
import { isRecord } from '../../../model/document/records.js';
import type { HandlerResponse } from '../../handler-api.js';
import { checkIfMatch } from '../etags.js';
import { type Item, mergePatch, withMember } from '../json-path.js';
import { flagAfter, likelyStateAfter, stateAfter } from '../../../resources/action-state.js';
import { wordsOf } from '../../../resources/inflection.js';
import { followWrite, prepareWrite, readItemBody, touchItem } from '../new-item.js';
import { respondWithItem } from '../item-response.js';
import { type Member, membersOf, typesOf } from '../../../schema/facts/members.js';
import { refuseUnknown } from '../refusals.js';
import { type Scope, findStored } from '../request-context.js';

/** Handles a method of an item, such as `:archive`: merges the body into the item, and sets the state that it names. */
export async function applyAction(scope: Scope): Promise<HandlerResponse> {
  const stored = await findStored(scope);
  if (stored === undefined) return refuseUnknown(scope);
  let refusal: HandlerResponse | undefined;
  let before: Item | undefined;
  const changed = await scope.collection.update(stored.key, (known) => {
    if (known === undefined) return undefined;
    refusal = checkIfMatch(scope, known);
    if (refusal !== undefined) return known;
    before = known;
    const item = touchItem(applyVerb(known, scope), scope);
    return prepareWrite(scope, { kind: 'action', id: stored.key, before, item });
  });
  if (refusal !== undefined) return refusal;
  if (changed !== undefined) await followWrite(scope, { kind: 'action', id: stored.key, before, item: changed });
  return changed === undefined ? refuseUnknown(scope) : respondWithItem(scope, { key: stored.key, item: changed });
}

function applyVerb(known: Item, scope: Scope): Item {
  const merged = mergePatch(known, readItemBody(scope));
  let item: Item = isRecord(merged) ? merged : known;
  const flag = flagAfter(scope.call.operation, scope.core.schema, scope.call.api);
  if (flag !== undefined) return withMember(item, flag.name, flag.value);
  const verb = wordsOf(scope.part.verb ?? '')[0] ?? '';
  for (const member of membersOf(scope.core.schema, scope.call.api).values()) {
    const value = valueAfter(member, verb, scope);
    if (value !== undefined) item = withMember(item, member.name, value);
  }
  return item;
}

/** `cancel` sets a status `cancelled`, a flag `cancelled` and the time `cancelledAt`; `unarchive` clears `archived`. */
function valueAfter(member: Member, verb: string, { call: { api, clock, operation } }: Scope): unknown {
  const stem = verb.replace(/e$/, '');
  if (stem.length < 3) return undefined;
  const words = wordsOf(member.name);
  const first = words.find((word) => word !== 'is') ?? '';
  if (typesOf(member.schema, api).has('boolean')) {
    if (first.startsWith(stem)) return true;
    return verb.startsWith('un') && first.startsWith(stem.slice(2)) && stem.length > 4 ? false : undefined;
  }
  if (first.startsWith(stem) && ['at', 'on', 'time', 'date'].includes(words.at(-1) ?? ''))
    return timeWriterOf(member, api)(clock.now());
  return stateAfter(member, operation.path, api) ?? likelyStateAfter(member, stem, api);
}
