import type { HandlerResponse } from '../handler-api.js';
import type { ResourceRefusal } from '../resource-hooks.js';
import { nameItem } from '../../resources/inflection.js';
import { type Scope, keyOfCall } from './request-context.js';

interface Refusal extends Pick<ResourceRefusal, 'reason' | 'id'> {
  /** The status and message, unless a hook overrides them. */
  readonly status: number;
  readonly message: string;
}

/** Refuses a call of a resource. @throws HttpError if the hook `refuse` gives one */
export function refuseCall(
  { hooks, call }: Pick<Scope, 'hooks' | 'call'>,
  { reason, id, status, message }: Refusal,
): HandlerResponse {
  if (hooks?.refuse !== undefined) throw hooks.refuse({ reason, id, call });
  return call.refuse(status, message);
}

/** Responds 404 for an item that does not exist. */
export function refuseUnknown(scope: Scope): HandlerResponse {
  const { core, input } = scope;
  const noun = nameItem(core.collectionPath);
  const named = core.kind === 'singleton' ? undefined : input.path.at(-1);
  const message = named === undefined ? `There is no such ${noun}.` : `There is no ${noun} '${named}'.`;
  return refuseCall(scope, { reason: 'unknown', id: keyOfCall(scope) ?? named, status: 404, message });
}
