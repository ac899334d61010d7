import { type Handler, type HttpError, omitMembers, withoutUndefined } from 'specmill/mock';

import type { Policy, TablesOperations } from '../../generated/tables/types.js';
import { POLICIES, refuse, toName } from './table-record.js';

/** The policy of a table without its own. */
const EMPTY_POLICY: Policy = { version: 1, etag: 'BwAAAAAAAAA=' };
const VERSION_WITH_CONDITIONS = 3;
const DEFAULT_MASK = 'bindings,etag';

export const getTableIamPolicy: Handler<TablesOperations['getTableIamPolicy']> = async (call) => {
  await call.default(); // Refuses a table that does not exist.
  const policy = (await call.collection<Policy>(POLICIES).get(toName(call.input.path))) ?? EMPTY_POLICY;
  return call.respond(200, asVersion(policy, call.input.body?.options?.requestedPolicyVersion ?? 0));
};

/** Removes conditions unless the caller requests a policy version that supports them. */
function asVersion(policy: Policy, version: number): Policy {
  if (version >= VERSION_WITH_CONDITIONS || !hasConditions(policy)) return policy;
  const bindings = policy.bindings?.map((binding) => omitMembers({ ...binding }, (name) => name === 'condition'));
  return { ...policy, version: 1, ...(bindings === undefined ? {} : { bindings }) };
}

function hasConditions({ bindings = [] }: Policy): boolean {
  return bindings.some(({ condition }) => condition !== undefined);
}

/** Replaces the members that the mask names; refuses a policy with an outdated etag. */
export const setTableIamPolicy: Handler<TablesOperations['setTableIamPolicy']> = async (call) => {
  await call.default(); // Refuses a table that does not exist.
  const { policy, updateMask = DEFAULT_MASK } = call.input.body;
  const mask = new Set(updateMask.split(',').map((name) => name.trim()));
  const etag = Buffer.from([7, ...call.random.bytes(7)]).toString('base64');
  const stored = await call.collection<Policy>(POLICIES).update(toName(call.input.path), (known = EMPTY_POLICY) => {
    if (policy.etag !== undefined && policy.etag !== known.etag) throw staleEtag();
    const { bindings } = mask.has('bindings') ? policy : known;
    const { auditConfigs } = mask.has('auditConfigs') ? policy : known;
    const version = hasConditions({ bindings: bindings ?? [] }) ? VERSION_WITH_CONDITIONS : 1;
    return { version, etag, ...withoutUndefined({ bindings, auditConfigs }) };
  });
  return call.respond(200, stored ?? EMPTY_POLICY);
};

function staleEtag(): HttpError {
  const message =
    'There were concurrent policy changes. Please retry the whole read-modify-write with exponential backoff.';
  return refuse(message, { status: 409, reason: 'aborted', canonical: 'ABORTED' });
}

/** Returns all requested permissions, because this mock does not check permissions. */
export const testTableIamPermissions: Handler<TablesOperations['testTableIamPermissions']> = async (call) => {
  await call.default(); // Refuses a table that does not exist.
  const { permissions } = call.input.body;
  return call.respond(200, permissions.length === 0 ? {} : { permissions });
};
