import type { Stakeholder } from '../../generated/signing/types.js';
import { guessType } from './accounts.js';
import type { CaseRecord, StoredParty } from './case-record.js';

export type NotificationKind =
  | 'signRequest'
  | 'reminder'
  | 'recalled'
  | 'rejected'
  | 'finished'
  | 'signed'
  | 'approvalRequest';

export interface Recipient {
  readonly role: 'party' | 'creator' | 'stakeholder' | 'approver';
  readonly method: 'email' | 'sms';
  readonly address: string;
  readonly name?: string;
  readonly partyId?: string;
}

/** An email or SMS that the real service would have sent; kept in the collection `notifications`. */
export interface SentNotification extends Recipient {
  readonly kind: NotificationKind;
  readonly caseId: string;
  readonly sentOn: string;
  /** The language of its text: the case's, else the agent's. */
  readonly culture: string;
  /** The case's own text, if it overrides the system's. */
  readonly message?: string;
  /** The case's Description, in emails to parties. */
  readonly description?: string;
}

export const NOTIFICATIONS = 'notifications';

/** The culture of every agent of this mock. */
const AGENT_CULTURE = 'en-US';

/** How parties are notified: by the NotificationMethods for which they have an address. */
export function toParties({ fields }: CaseRecord, parties: readonly StoredParty[]): Recipient[] {
  const methods = fields.NotificationMethods.includes('none') ? [] : fields.NotificationMethods;
  return parties.flatMap(({ Id, Name, EmailAddress = '', CaseMobilePhone = '' }) => {
    const common = { role: 'party', partyId: Id, ...nameOf(Name) } as const;
    return [
      ...(methods.includes('email') && EmailAddress !== ''
        ? [{ ...common, method: 'email', address: EmailAddress } as const]
        : []),
      ...(methods.includes('sms') && CaseMobilePhone !== ''
        ? [{ ...common, method: 'sms', address: CaseMobilePhone } as const]
        : []),
    ];
  });
}

/** How stakeholders and approvers are notified: by email, or by SMS if they have only a phone. */
export function toStakeholders(role: 'stakeholder' | 'approver', people: readonly Stakeholder[]): Recipient[] {
  return people.flatMap(({ Name, EmailAddress = '', MobilePhone = '' }): Recipient[] => {
    if (EmailAddress !== '') return [{ role, method: 'email', address: EmailAddress, ...nameOf(Name) }];
    return MobilePhone === '' ? [] : [{ role, method: 'sms', address: MobilePhone, ...nameOf(Name) }];
  });
}

/** How the creator is notified: by email to the creator's own address, else the agent's, else the user's name. */
export function toCreator({ creator, fields }: CaseRecord): Recipient[] {
  const address = [creator, fields.AgentUsername].find((one) => guessType(one) === 'EmailAddress') ?? creator;
  return [{ role: 'creator', method: 'email', address }];
}

export function describeNotification(
  { fields }: CaseRecord,
  kind: NotificationKind,
  to: Recipient,
  sentOn: string,
): SentNotification {
  const message = messageOf(fields, kind, to);
  const inEmail = to.role === 'party' && to.method === 'email' && fields.Description !== '';
  return {
    kind,
    caseId: fields.Id,
    sentOn,
    culture: fields.Culture === undefined || fields.Culture === '' ? AGENT_CULTURE : fields.Culture,
    ...to,
    ...(message === undefined || message === '' ? {} : { message }),
    ...(inEmail ? { description: fields.Description } : {}),
  };
}

/** The text to parties, if RequestMessage or FinishedMessage overrides the system's. */
function messageOf(
  fields: CaseRecord['fields'],
  kind: NotificationKind,
  { role, method }: Recipient,
): string | undefined {
  if (role !== 'party') return undefined;
  if (kind === 'signRequest') return method === 'sms' ? fields.RequestMessageSms : fields.RequestMessage;
  if (kind === 'finished') return method === 'sms' ? fields.FinishedMessageSms : fields.FinishedMessage;
  return undefined;
}

function nameOf(name: string | undefined): { readonly name?: string } {
  return name === undefined || name === '' ? {} : { name };
}
