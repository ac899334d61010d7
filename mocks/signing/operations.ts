import type { Call, Handler, MockDefinition } from 'specmill/mock';

import type { SigningOperations } from '../../generated/signing/types.js';
import { caseNotFound, type CaseRecord, CASES, refuse, TEMPLATES, toKey, withFields } from './case-record.js';
import { type CaseTurn, changeCase } from './change-case.js';
import { addCase, newCase } from './create-case.js';
import { enforce } from './rule.js';
import { RULES } from './rules.js';
import { DEFAULT_TAKE, search } from './search.js';
import { showCase } from './show-case.js';
import { copyTemplate } from './templates.js';
import { markNotSigned, markSigned, recall, remind, remove, requestApproval, send } from './transitions.js';
import { applyUpdate, updateCase } from './update-case.js';

type Operations = NonNullable<MockDefinition<SigningOperations>['operations']>;
type Name = keyof SigningOperations;
type AnyCall = Pick<Call<SigningOperations[Name]>, 'collection'>;

/** Handles operations that take only the id of a case. */
function changing(change: (turn: CaseTurn) => void): Handler<SigningOperations['sendcase']> {
  return async (call) => {
    const { fields } = await changeCase(call, call.input.body.id, change);
    return call.respond(200, { Id: fields.Id });
  };
}

/** Finds a template by its Id, for operations that accept both templates and cases. */
async function findTemplate(call: AnyCall, id: string): Promise<CaseRecord | undefined> {
  return call.collection<CaseRecord>(TEMPLATES).get(toKey(id));
}

/** Changes the template with this Id, if there is one. Templates have no events, deadlines or notifications. */
async function changeTemplate(
  call: AnyCall,
  id: string,
  change: (template: CaseRecord) => CaseRecord | undefined,
): Promise<string | undefined> {
  const template = await findTemplate(call, id);
  if (template === undefined) return undefined;
  const changed = change(template);
  const templates = call.collection<CaseRecord>(TEMPLATES);
  if (changed === undefined) await templates.delete(toKey(id));
  else await templates.put(toKey(id), changed);
  return template.fields.Id;
}

export const operations: Operations = {
  createcase: async (call) => {
    const { body } = call.input;
    enforce(RULES.createcase, { input: body });
    const made = { fields: newCase(call, call.caller, body), idMember: 'Id' } as const;
    const { fields } = await addCase(call, call.caller, made);
    return call.respond(200, { Id: fields.Id });
  },

  createcasefromtemplate: async (call) => {
    const copy = await copyTemplate(call, call.caller, call.input.body);
    const { fields } = await addCase(call, call.caller, { fields: copy, idMember: 'newCaseId' });
    return call.respond(200, { Id: fields.Id });
  },

  updatecase: async (call) => {
    const { body } = call.input;
    const id = body.Id ?? '';
    const template = await changeTemplate(call, id, (record) => {
      const now = call.clock.now();
      enforce(RULES.updatecase, { record, now, input: body });
      return applyUpdate(call, record, body);
    });
    const Id = template ?? (await changeCase(call, id, (turn) => updateCase(call, turn, body))).fields.Id;
    return call.respond(200, { Id });
  },

  updatecasemetadata: async (call) => {
    const { Id: id, Metadata } = call.input.body;
    const template = await changeTemplate(call, id, (record) => withFields(record, { Metadata }));
    const change = (turn: CaseTurn): void => {
      turn.record = withFields(turn.record, { Metadata });
    };
    return call.respond(200, { Id: template ?? (await changeCase(call, id, change)).fields.Id });
  },

  deletecase: async (call) => {
    const { id } = call.input.body;
    const template = await changeTemplate(call, id, () => undefined);
    return call.respond(200, { Id: template ?? (await changeCase(call, id, remove)).fields.Id });
  },

  sendcase: changing(send),
  remindcase: changing(remind),
  recallcase: changing(recall),
  requestapproval: changing(requestApproval),

  markassigned: async (call) => {
    const { CaseId, PartyId, PartyName } = call.input.body;
    const { fields } = await changeCase(call, CaseId, (turn) => markSigned(turn, PartyId, PartyName));
    return call.respond(200, { Id: fields.Id });
  },

  markasnotsigned: async (call) => {
    const { caseId, partyId } = call.input.body;
    const { fields } = await changeCase(call, caseId, (turn) => markNotSigned(turn, partyId));
    return call.respond(200, { Id: fields.Id });
  },

  getcase: async (call) => {
    const { id, IncludeAllStatuses, includePendingApprovalStatus } = call.input.query;
    const record = (await call.collection<CaseRecord>(CASES).get(toKey(id))) ?? (await findTemplate(call, id));
    if (record === undefined) throw caseNotFound(id);
    const view = { account: call.caller.account, now: call.clock.now(), withHash: true };
    return call.respond(
      200,
      showCase(record, { ...view, withSigned: IncludeAllStatuses, withPendingApproval: includePendingApprovalStatus }),
    );
  },

  getcasebytemporaryid: async (call) => {
    const { id } = call.input.query;
    const now = call.clock.now();
    const { items } = await call
      .collection<CaseRecord>(CASES)
      .query({ where: [{ path: 'temporary.id', test: 'equals', value: id }] });
    const record = items.map(({ value }) => value).find(({ temporary }) => now < (temporary?.until ?? 0));
    if (record === undefined)
      throw refuse(`There is no case with the temporary id ${id}.`, {
        status: 404,
        errorCode: 'caseNotFound',
      });
    return call.respond(200, showCase(record, { account: call.caller.account, now, withHash: true }));
  },

  findcases: async (call) => {
    const filter = call.input.query ?? {};
    const { Skip = 0, Take = DEFAULT_TAKE, IncludeAllStatuses, includePendingApprovalStatus } = filter;
    enforce(RULES.findcases, { skip: Skip, take: Take });
    const found = await search(call, CASES, filter);
    const view = { account: call.caller.account, now: call.clock.now(), withHash: false };
    return call.respond(
      200,
      found.map((record) =>
        showCase(record, {
          ...view,
          withSigned: IncludeAllStatuses,
          withPendingApproval: includePendingApprovalStatus,
        }),
      ),
    );
  },

  findtemplates: async (call) => {
    const found = await search(call, TEMPLATES, call.input.query ?? {});
    return call.respond(
      200,
      found.map((record) => showCase(record, { account: call.caller.account, now: call.clock.now(), withHash: false })),
    );
  },
};
