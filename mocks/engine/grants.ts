import { HttpError } from 'specmill/mock';

import type { Row } from '../../generated/engine/types.js';
import { toRowTest } from './conditions/condition.js';
import type { Access, Entity, EntityAction } from './configuration/entity.js';
import { refuse } from './refusals.js';
import type { Session } from './session.js';

/** The permissions of a caller on the rows of an entity for one action. */
export interface Grant {
  readonly reaches: (field: string) => boolean;
  readonly allows: (row: Row) => boolean;
}

const EVERYTHING: Grant = { reaches: () => true, allows: () => true };

/** @throws HttpError 403 if the role may not do it; 401 if a credential could change that */
export function grantOf(session: Session, entity: Entity, action: EntityAction): Grant {
  if (entity.permissions === undefined) return EVERYTHING;
  const known = grants.get(session) ?? new Map<string, Grant>();
  grants.set(session, known);
  const key = JSON.stringify([entity.name, action]);
  const grant = known.get(key) ?? readGrant(session, entity, action);
  known.set(key, grant);
  return grant;
}

/** Grants by request, so that each policy is read only once. */
const grants = new WeakMap<Session, Map<string, Grant>>();

function readGrant(session: Session, entity: Entity, action: EntityAction): Grant {
  const access = findAccess(session.role, entity, action);
  if (access === undefined) throw refuseRole(session);
  const { claims } = session;
  const { reaches, rowPolicy, requestPolicy } = access;
  const lacking = access.claims.find((name) => !Object.hasOwn(claims, name));
  if (lacking !== undefined)
    throw refuse(403, `The caller has no claim ${lacking}, which the policy of the role needs.`);
  if (requestPolicy !== undefined && !toRowTest(requestPolicy, { claims })({})) throw refuseRole(session);
  return { reaches, allows: rowPolicy === undefined ? EVERYTHING.allows : toRowTest(rowPolicy, { claims }) };
}

export function isGranted({ role }: Session, entity: Entity, action: EntityAction): boolean {
  return entity.permissions === undefined || findAccess(role, entity, action) !== undefined;
}

/** The fields that a role may reach with an action; `undefined` if it may not do it. */
export function findReach(role: string, entity: Entity, action: EntityAction): Grant['reaches'] | undefined {
  return entity.permissions === undefined ? EVERYTHING.reaches : findAccess(role, entity, action)?.reaches;
}

/** Finds the permission of a role. Without its own, `authenticated` has the permissions of `anonymous`. */
function findAccess(role: string, { permissions }: Entity, action: EntityAction): Access | undefined {
  const own = permissions?.get(role) ?? (role === 'authenticated' ? permissions?.get('anonymous') : undefined);
  return own?.get(action);
}

function refuseRole({ role, mayAuthenticate }: Session): HttpError {
  if (!mayAuthenticate) return refuse(403, `The role ${role} may not do this.`);
  const headers = { 'www-authenticate': 'Bearer' };
  return new HttpError(401, `The role ${role} may not do this: a credential is needed.`, { headers });
}

/** @throws HttpError 403 for a field that the action does not include */
export function checkFields(grant: Grant, fields: readonly string[]): void {
  const field = fields.find((one) => !grant.reaches(one));
  if (field !== undefined) throw refuse(403, `The caller may not use the field ${field}.`);
}

export function reachedFields(grant: Grant, row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([field]) => grant.reaches(field)));
}

/** The row as shown to its writer: the fields that the caller may read, and the key. */
export function writtenFields(session: Session, entity: Entity, row: Row): Row {
  const reaches = isGranted(session, entity, 'read') ? grantOf(session, entity, 'read').reaches : () => false;
  return Object.fromEntries(Object.entries(row).filter(([field]) => entity.keys.includes(field) || reaches(field)));
}
