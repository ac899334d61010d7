import type { Caller, HandlerContext } from 'specmill/mock';

import { accountNumbers, chooseAgent } from './accounts.js';
import type { CreateCaseFromTemplateRequest } from '../../generated/signing/types.js';
import { type CaseRecord, type StoredCase, TEMPLATES, toKey } from './case-record.js';
import { refuse } from './case-refusal.js';
import { sortKeys } from './create-case.js';
import { describeContent } from './document-content.js';
import { TEMPLATE_SEEDS, type TemplateSeed } from './template-seeds.js';
import { fromDateTime, toDateTime } from './times.js';

/** Fills an account with the templates that are there from the start. */
export async function seedTemplates(context: HandlerContext): Promise<void> {
  const templates = context.collection<CaseRecord>(TEMPLATES);
  for (const [index, seed] of TEMPLATE_SEEDS.entries()) await templates.put(seed.Id, toTemplate(seed, index));
}

function toTemplate({ Documents, ...seed }: TemplateSeed, number: number): CaseRecord {
  const fields: StoredCase = {
    Status: 'Draft',
    Stakeholders: [],
    Approvers: [],
    NotificationMethods: ['email'],
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
 * The members of a case that is made from a template.
 *
 * @throws HttpError 404 where the account has no such template.
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
