import { findParameter } from '../../model/find-parameter.js';
import { originOf } from '../../http/messages.js';
import { encodeTarget } from '../../http/routing/encode-target.js';
import { foldName } from '../../resources/inflection.js';
import { type Item, textOrEmpty } from './json-path.js';
import { valueAtPath } from '../../model/document/pointer.js';
import { type Member, membersOf } from '../../schema/facts/members.js';
import { splitKey } from './item-key.js';
import { fillTemplate } from '../../resources/path-template.js';
import type { AnyCall, Scope } from './request-context.js';
import { bodySchemaOf } from '../../resources/success-response.js';

const SELF_LINKS: ReadonlySet<string> = new Set(['selflink', 'self', 'href', 'url', 'uri']);

export function isNamedLikeLink(name: string): boolean {
  return SELF_LINKS.has(foldName(name));
}

/** Whether a member that is named like a link to its own item is one: clients do not send it. */
export function isSelfLink(member: Member, { part, call }: Scope): boolean {
  if (member.isReadOnly) return true;
  const body = bodySchemaOf(part.operation);
  return body === undefined || !membersOf(body, call.api).has(member.name);
}

/** Returns the path of a call without its query, encoded as in a URI, with the prefix below which the API is mounted. */
export function pathOf({ request }: Pick<AnyCall, 'request'>): string {
  return (request.base?.prefix ?? '') + ownPathOf(request);
}

function ownPathOf(request: AnyCall['request']): string {
  const path = request.target.replace(/^[a-z]+:\/\/[^/]+/i, '');
  const end = path.search(/[?#]/);
  return encodeTarget((end === -1 ? path : path.slice(0, end)).replace(/(?<=[^/]|^\/)\/+$/, ''));
}

/** Returns the path of an item below the call's collection, with the base path that the caller used. */
export function itemPathOf(scope: Scope, item: Item, key: string): string {
  const { call, core, input, parents, assignment } = scope;
  const path = pathOf(call);
  if (input.path.length > parents.size || core.kind === 'singleton') return path;
  const { itemPath } = assignment.group;
  // Items may be on a path that is not below that of their collection: `/silence/{id}` of `/silences`.
  const own = fillTemplate(call.operation.path, input.path);
  if (itemPath?.startsWith(`${call.operation.path}/`) === false && path.endsWith(own))
    return (
      path.slice(0, path.length - own.length) + fillTemplate(itemPath, [...parents.values(), ...splitKey(key, core)])
    );
  if (core.outerIds !== undefined) return `${path}/${key}`;
  const [first] = core.itemParameters;
  if (core.itemParameters.length < 2 || first === undefined) return `${path}/${encodeURIComponent(key)}`;
  const name = keyNameOf(scope);
  return `${path}/${encodeURIComponent(name)}/${encodeURIComponent(textOrEmpty(valueAtPath(item, [name])) || key)}`;
}

/** For paths that name an item by a member and its value: returns the member in the spec's example, or else `id`. */
export function keyNameOf({ assignment: { group, core } }: Scope): string {
  const [operation] = group.itemOperations;
  const parameter =
    operation === undefined ? undefined : findParameter(operation, 'path', core.itemParameters[0] ?? '');
  const shown: unknown = parameter?.examples[0]?.value;
  return typeof shown === 'string' ? shown : 'id';
}

export function toAbsolute(call: Pick<AnyCall, 'request'>, path: string): string {
  return originOf(call.request) + path;
}
