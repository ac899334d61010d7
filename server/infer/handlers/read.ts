import type { Reply } from '../../seams/behaviour.js';
import { checkIfNoneMatch } from '../etags.js';
import { replyItem } from '../item-response.js';
import { type Scope, findStored, refuseUnknown } from '../request-context.js';

/** GET of an item. */
export async function read(scope: Scope): Promise<Reply> {
  const stored = await findStored(scope);
  if (stored === undefined) return refuseUnknown(scope);
  return checkIfNoneMatch(scope, stored.item) ?? replyItem(scope, stored);
}
