import type { HandlerResponse } from '../../handler-api.js';
import { checkIfNoneMatch } from '../etags.js';
import { respondWithItem } from '../item-response.js';
import { refuseUnknown } from '../refusals.js';
import { type Scope, findStored } from '../request-context.js';

/** Handles GET of an item. */
export async function read(scope: Scope): Promise<HandlerResponse> {
  const stored = await findStored(scope);
  if (stored === undefined) return refuseUnknown(scope);
  return checkIfNoneMatch(scope, stored.item) ?? respondWithItem(scope, stored);
}
