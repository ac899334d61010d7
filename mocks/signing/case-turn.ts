import type { EventName } from '../../generated/signing/types.js';
import type { CaseRecord } from './case-record.js';
import type { NotificationKind, Recipient } from './notifications.js';

/** What is due for a case at a time, by the name of its job. */
export type CaseJobName = 'make' | 'expire' | 'remind' | 'finish';

/** Something that follows from a change of a case. It happens once the change is stored. */
export type Effect =
  | { readonly kind: 'event'; readonly event: EventName; readonly partyId?: string }
  | { readonly kind: 'notification'; readonly notification: NotificationKind; readonly to: readonly Recipient[] }
  | { readonly kind: 'plan'; readonly job: CaseJobName; readonly dueAt: number }
  | { readonly kind: 'drop'; readonly job: CaseJobName };

/** One change of one case: the record as it becomes, and what follows. Nothing is done before the change is committed. */
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

  tell(event: EventName, partyId?: string): void {
    this.effects.push({ kind: 'event', event, ...(partyId === undefined ? {} : { partyId }) });
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
