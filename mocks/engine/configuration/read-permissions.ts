import type { Action, ActionName, Permission } from '../../../generated/engine/types.js';
import { FilterError, fieldsOfFilter, parseFilter } from '../filter.js';
import type { ConfigReader } from './config-reader.js';
import type { Access, EntityAction, Permissions } from './entity.js';

const ACTIONS: readonly EntityAction[] = ['create', 'read', 'update', 'delete', 'execute'];

interface PermissionPlace {
  readonly reader: ConfigReader;
  /** Of the entity. */
  readonly pointer: string;
  /** The name that callers see of a field. */
  readonly exposed: (field: string) => string;
}

/** The permissions of an entity, and the fields that they name. */
export interface ReadPermissions {
  readonly roles: Permissions;
  readonly fields: readonly string[];
}

/** Reads what each role may do. @throws InputError for a policy that cannot be read */
export function readPermissions(permissions: readonly Permission[], place: PermissionPlace): ReadPermissions {
  const roles = new Map<string, Map<EntityAction, Access>>();
  const fields: string[] = [];
  for (const [index, { role, actions }] of permissions.entries()) {
    const known = roles.get(role) ?? new Map<EntityAction, Access>();
    roles.set(role, known);
    for (const [at, given] of actions.entries()) {
      const action = typeof given === 'string' ? { action: given } : given;
      const access = readAccess(action, place, `${place.pointer}/permissions/${index}/actions/${at}`);
      fields.push(...namedFields(action, place));
      // An action that is named goes before `*`.
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
  return {
    reaches: (field) => !exclude.has('*') && !exclude.has(field) && (include.has('*') || include.has(field)),
    ...(database === undefined ? {} : { rowPolicy: readPolicy(database, place, `${pointer}/policy/database`) }),
    ...(request === undefined ? {} : { requestPolicy: readRequestPolicy(request, place, `${pointer}/policy/request`) }),
  };
}

/** A policy is a filter in which fields are `@item.<field>` and claims of the caller `@claims.<name>`. */
function readPolicy(text: string, place: PermissionPlace, pointer: string): NonNullable<Access['rowPolicy']> {
  const read: NonNullable<Access['rowPolicy']> = (claims) => parseFilter(text, { claims, exposed: place.exposed });
  try {
    read({});
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw place.reader.problem(pointer, `The policy cannot be read: ${error.message}.`);
  }
  return read;
}

function readRequestPolicy(
  text: string,
  place: PermissionPlace,
  pointer: string,
): NonNullable<Access['requestPolicy']> {
  const policy = readPolicy(text, place, pointer);
  if (fieldsOfFilter(text).length > 0)
    throw place.reader.problem(pointer, 'A policy on requests knows the claims of the caller alone, and no fields.');
  return (claims) => policy(claims)({});
}
