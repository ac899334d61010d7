import type { Action, ActionName, Permission } from '../../../generated/engine/types.js';
import { claimsOfCondition, type Condition, fieldsOfCondition } from '../conditions/condition.js';
import { FilterError, parseCondition } from '../conditions/parse-filter.js';
import type { ConfigReader } from './config-reader.js';
import type { Access, EntityAction, Permissions } from './entity.js';

const ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete', 'execute'];

interface PermissionPlace {
  readonly reader: ConfigReader;
  /** Of the list. */
  readonly pointer: string;
  /** Returns the name of a field that callers see. */
  readonly exposed: (field: string) => string;
}

export interface ReadPermissions {
  readonly roles: Permissions;
  /** The fields that they name, by the names that callers see. */
  readonly fields: readonly string[];
}

/** Reads the permissions of each role. @throws InputError for an unreadable policy */
export function readPermissions(permissions: readonly Permission[], place: PermissionPlace): ReadPermissions {
  const roles = new Map<string, Map<EntityAction, Access>>();
  const fields: string[] = [];
  for (const [index, { role, actions }] of permissions.entries()) {
    const known = roles.get(role) ?? new Map<EntityAction, Access>();
    roles.set(role, known);
    for (const [at, given] of (typeof actions === 'string' ? [actions] : actions).entries()) {
      const action = typeof given === 'string' ? { action: given } : given;
      const access = readAccess(action, place, `${place.pointer}/${index}/actions/${at}`);
      fields.push(...namedFields(action, place), ...[access.rowPolicy ?? []].flat().flatMap(fieldsOfCondition));
      // A named action takes precedence over `*`.
      for (const name of namesOf(action.action)) if (action.action !== '*' || !known.has(name)) known.set(name, access);
    }
  }
  return { roles, fields };
}

function namesOf(action: ActionName): readonly EntityAction[] {
  return action === '*' ? ACTIONS : [action];
}

function namedFields({ fields = {} }: Action, { exposed }: PermissionPlace): readonly string[] {
  return [...(fields.include ?? []), ...(fields.exclude ?? [])].filter((field) => field !== '*').map(exposed);
}

function readAccess({ fields = {}, policy = {} }: Action, place: PermissionPlace, pointer: string): Access {
  const include = new Set((fields.include ?? ['*']).map(place.exposed));
  const exclude = new Set((fields.exclude ?? []).map(place.exposed));
  const { database, request } = policy;
  const rowPolicy = database === undefined ? undefined : readPolicy(database, place, `${pointer}/policy/database`);
  const requestPolicy =
    request === undefined ? undefined : readRequestPolicy(request, place, `${pointer}/policy/request`);
  const claims = [rowPolicy ?? [], requestPolicy ?? []].flat().flatMap(claimsOfCondition);
  return {
    reaches: (field) => !exclude.has('*') && !exclude.has(field) && (include.has('*') || include.has(field)),
    claims: [...new Set(claims)],
    ...(rowPolicy === undefined ? {} : { rowPolicy }),
    ...(requestPolicy === undefined ? {} : { requestPolicy }),
  };
}

/** Reads a policy: a filter in which fields are `@item.<field>` and claims of the caller `@claims.<name>`. */
function readPolicy(text: string, { reader, exposed }: PermissionPlace, pointer: string): Condition {
  try {
    return parseCondition(text, { exposed });
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw reader.problem(pointer, `The policy cannot be read: ${error.message}.`);
  }
}

function readRequestPolicy(text: string, place: PermissionPlace, pointer: string): Condition {
  const policy = readPolicy(text, place, pointer);
  if (fieldsOfCondition(policy).length > 0)
    throw place.reader.problem(pointer, 'A request policy may use the claims of the caller, but no fields.');
  return policy;
}
