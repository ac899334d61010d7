import { type HandlerContext, inTurn, withoutUndefined } from 'specmill/mock';

import type { CaseEvent, EventName } from '../../generated/signing/types.js';
import { caseNotFound, type CaseRecord, CASES, toDateTime, toKey, withProgress } from './case-record.js';
import {
  describeNotification,
  type NotificationKind,
  NOTIFICATIONS,
  type Recipient,
  type SentNotification,
} from './notifications.js';

/**
 * Changes a case and carries out the effects of the change, which stay together.
 *
 * @throws HttpError if there is no such case, or a rule does not allow the change.
 */
export function changeCase(context: HandlerContext, id: string, change: (turn: CaseTurn) => void): Promise<CaseRecord> {
  return inTurn(context, toKey(id), async () => {
    const record = await context.collection<CaseRecord>(CASES).get(toKey(id));
    if (record === undefined) throw caseNotFound(id);
    const turn = new CaseTurn(record, context.clock.now());
    change(turn);
    return commit(context, turn);
  });
}

/** Stores a change, then carries out its effects in their order. Calls for one case must not overlap. */
export async function commit(context: HandlerContext, turn: CaseTurn): Promise<CaseRecord> {
  const record = markEmailed(turn);
  const cases = context.collection<CaseRecord>(CASES);
  const key = toKey(record.fields.Id);
  if (turn.isDeleted) await cases.delete(key);
  else await cases.put(key, record);
  for (const effect of turn.effects) await follow(context, { ...turn, record }, effect);
  return record;
}

function markEmailed({ record, effects }: CaseTurn): CaseRecord {
  let marked = record;
  for (const effect of effects) {
    if (effect.kind !== 'notification') continue;
    for (const { partyId, method } of effect.to)
      if (partyId !== undefined && method === 'email') marked = withProgress(marked, partyId, { isEmailed: true });
  }
  return marked;
}

async function follow(
  context: HandlerContext,
  { record, now }: Pick<CaseTurn, 'record' | 'now'>,
  effect: Effect,
): Promise<void> {
  const caseId = record.fields.Id;
  switch (effect.kind) {
    case 'event':
      return sendEvent(context, { record, now }, effect);
    case 'plan':
      return context.clock.schedule({
        id: `${effect.job} ${toKey(caseId)}`,
        name: effect.job,
        dueAt: effect.dueAt,
        payload: { caseId },
      });
    case 'drop':
      return context.clock.cancel(`${effect.job} ${toKey(caseId)}`);
    case 'notification':
      for (const to of effect.to) {
        const id = String(await context.next(NOTIFICATIONS));
        await context
          .collection<SentNotification>(NOTIFICATIONS)
          .put(id, describeNotification(record, effect.notification, to, toDateTime(now)));
      }
  }
}

async function sendEvent(
  context: HandlerContext,
  { record: { fields }, now }: Pick<CaseTurn, 'record' | 'now'>,
  { event, partyId }: { readonly event: EventName; readonly partyId?: string },
): Promise<void> {
  const { Url = '', Events = [] } = fields.EventCallback ?? {};
  if (Url === '' || !Events.includes(event)) return;
  const body: CaseEvent = {
    EventId: context.random.uuid(),
    Event: event,
    CaseId: fields.Id,
    CaseStatus: fields.Status,
    ...withoutUndefined({ PartyId: partyId }),
    OccurredOn: toDateTime(now),
  };
  await context.sendCallback({ url: Url, queue: toKey(fields.Id), body });
}

export type CaseJobName = 'make' | 'expire' | 'remind' | 'finish';

/** An effect of a change of a case. It happens after the change is stored. */
type Effect =
  | { readonly kind: 'event'; readonly event: EventName; readonly partyId?: string }
  | { readonly kind: 'notification'; readonly notification: NotificationKind; readonly to: readonly Recipient[] }
  | { readonly kind: 'plan'; readonly job: CaseJobName; readonly dueAt: number }
  | { readonly kind: 'drop'; readonly job: CaseJobName };

/** One change of one case: the new record and its effects. Nothing happens before the change is committed. */
export class CaseTurn {
  record: CaseRecord;
  isDeleted = false;
  readonly effects: Effect[] = [];
  /** Epoch milliseconds. */
  readonly now: number;

  constructor(record: CaseRecord, now: number) {
    this.record = record;
    this.now = now;
  }

  sendEvent(event: EventName, partyId?: string): void {
    this.effects.push({ kind: 'event', event, ...withoutUndefined({ partyId }) });
  }

  notify(notification: NotificationKind, to: readonly Recipient[]): void {
    if (to.length > 0) this.effects.push({ kind: 'notification', notification, to });
  }

  plan(job: CaseJobName, dueAt: number): void {
    this.effects.push({ kind: 'plan', job, dueAt });
  }

  drop(...jobs: readonly CaseJobName[]): void {
    for (const job of jobs) this.effects.push({ kind: 'drop', job });
  }
}
