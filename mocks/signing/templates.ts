import type { Caller, HandlerContext } from 'specmill/mock';

import type { CreateCaseFromTemplateRequest, Document } from '../../generated/signing/types.js';
import { accountNumbers, chooseAgent } from './accounts.js';
import {
  CASE_DEFAULTS,
  type CaseRecord,
  describeContent,
  DOCUMENT_DEFAULTS,
  fromDateTime,
  PARTY_DEFAULTS,
  refuse,
  type StoredCase,
  TEMPLATES,
  toDateTime,
  toKey,
  UNSET_MEMBERS,
} from './case-record.js';
import { sortKeys } from './create-case.js';

/** Fills an account with its initial templates. */
export async function seedTemplates(context: HandlerContext): Promise<void> {
  const templates = context.collection<CaseRecord>(TEMPLATES);
  for (const [index, seed] of TEMPLATE_SEEDS.entries()) await templates.put(seed.Id, toTemplate(seed, index));
}

function toTemplate({ Documents, ...seed }: TemplateSeed, number: number): CaseRecord {
  const fields: StoredCase = {
    Status: 'Draft',
    ...UNSET_MEMBERS,
    ...seed,
    Documents: Documents.map(({ Data, ...document }) => ({
      ...document,
      ...describeContent(Data),
    })),
  };
  const now = fromDateTime(fields.CreatedOn);
  return { fields, ...sortKeys(fields, { now, number }), creator: fields.AgentUsername, progress: [], approvals: [] };
}

/**
 * Returns the members of a case that is created from a template.
 *
 * @throws HttpError 404 if the account has no such template.
 */
export async function copyTemplate(
  context: HandlerContext,
  caller: Caller,
  { templateId, newCaseId, agentUsername, agentUsernameType }: CreateCaseFromTemplateRequest,
): Promise<StoredCase> {
  const template = await context.collection<CaseRecord>(TEMPLATES).get(toKey(templateId));
  if (template === undefined)
    throw refuse(`There is no template ${templateId}.`, { status: 404, errorCode: 'templateNotFound' });
  return {
    ...template.fields,
    Id: newCaseId ?? context.random.uuid(),
    Status: template.fields.Procedure === 'batch' ? 'Pending' : 'Draft',
    NameAlias: '',
    ...accountNumbers(caller.account),
    ...chooseAgent(caller, { username: agentUsername, type: agentUsernameType }),
    CreatedOn: toDateTime(context.clock.now()),
  };
}

/** A template as written below, with the content of its documents. */
interface TemplateSeed extends Omit<
  StoredCase,
  'Documents' | 'Status' | 'Stakeholders' | 'Approvers' | 'NotificationMethods'
> {
  readonly Documents: readonly (Omit<Document, 'Id' | 'Data' | 'Size' | 'Hash'> & {
    readonly Id: string;
    readonly Data: string;
  })[];
}

/** The members that templates share: defaults and owner. */
const USUAL = {
  ...CASE_DEFAULTS,
  AgentUsername: 'anna.berg@example.com',
  AgentUsernameType: 'EmailAddress',
} as const satisfies Partial<TemplateSeed>;

const DOCUMENT = { ContentType: 'application/pdf', ...DOCUMENT_DEFAULTS } as const;

/** The templates of every account. The first is the one of the spec's examples. */
const TEMPLATE_SEEDS: readonly TemplateSeed[] = [
  {
    ...USUAL,
    Id: '0b9d7c1a-52e8-4d36-a7f4-c38e1f60b2d4',
    Name: 'Mutual non-disclosure agreement',
    NameAlias: 'NDA standard',
    AllowedSignatureTypes: ['electronicid', 'touch'],
    Parties: [
      {
        ...PARTY_DEFAULTS,
        Id: 'c6104b8e-2d97-4f35-86a1-e9b37d50f28c',
        Name: 'Anna Berg',
        EmailAddress: 'anna.berg@example.com',
      },
      {
        ...PARTY_DEFAULTS,
        Id: 'f07a93d1-58be-4c24-9e6d-1b82c5fa7043',
        Name: '',
        EmailAddress: '',
        AnyoneCanSign: true,
        SignatureType: 0,
      },
    ],
    Documents: [
      {
        ...DOCUMENT,
        Id: '94b5e2f7-03ac-4d61-b8c9-7fe1a6d02583',
        Filename: 'nda.pdf',
        IsRequired: true,
        Data: 'JVBERi0xLjQKJSBuZGEKJSVFT0YK',
        FormFields: { counterparty: '' },
      },
    ],
    Metadata: { department: 'Legal' },
    Visibility: 'inherit',
    Procedure: 'form',
    ExpireAfterDays: 30,
    RemindAfterDays: 7,
    CreatedOn: '2026-09-01T09:00:00',
  },
  {
    ...USUAL,
    Id: '5e2f8b64-90c1-4a7d-b3e6-1d7c4f0a9825',
    Name: 'Employment contract',
    NameAlias: 'HR contract',
    Description: 'Please sign your contract of employment.',
    AllowedSignatureTypes: ['electronicid'],
    Parties: [
      { ...PARTY_DEFAULTS, Id: 'a8d3f1c7-64b2-4e09-8f5a-2c9b7e6d0143', Name: '', EmailAddress: '' },
      {
        ...PARTY_DEFAULTS,
        Id: '3f7b0e92-c1d5-4a68-9b24-e8a6d3f51c70',
        Name: 'Erik Dahl',
        EmailAddress: 'erik.dahl@example.com',
        GroupName: 'Harbour Estates',
      },
    ],
    Documents: [
      {
        ...DOCUMENT,
        Id: 'b1c96e30-7d4f-48a2-95e8-0f3a7d6c2b54',
        Filename: 'employment-contract.pdf',
        IsRequired: true,
        Data: 'JVBERi0xLjQKJSBjb250cmFjdAolJUVPRgo=',
        FormFields: {
          salary: '',
          startsOn: '',
        },
      },
    ],
    Metadata: { department: 'People' },
    SignInSequence: true,
    IdentityCheck: true,
    CreatedOn: '2026-09-02T09:00:00',
  },
  {
    ...USUAL,
    Id: 'd90a4c7e-3b18-4f52-a6d1-7e0c8b95f236',
    Name: 'Purchase order',
    NameAlias: '',
    AllowedSignatureTypes: ['touch', 'sms'],
    Parties: [
      {
        ...PARTY_DEFAULTS,
        Id: '7c4e1a90-b5d8-43f2-8e67-90a1c3d5f8b2',
        Name: 'Supplier',
        EmailAddress: 'supplier@example.com',
      },
    ],
    Documents: [
      {
        ...DOCUMENT,
        Id: '2d8f5b03-a917-4c6e-b4f0-6a3e9c1d7825',
        Filename: 'purchase-order.pdf',
        Data: 'JVBERi0xLjQKJSBvcmRlcgolJUVPRgo=',
      },
    ],
    Metadata: { department: 'Purchasing' },
    ApprovalRequired: true,
    ApprovalType: 'requireany',
    CreatedOn: '2026-09-03T09:00:00',
  },
];
