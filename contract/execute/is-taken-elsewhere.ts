import { isSuccess } from '../../http/messages.js';
import type { Case } from '../types.js';
import type { ContractRun } from './contract-run.js';

/** The most other items that a refused call is tried on. */
const MAX_ITEMS = 8;

/**
 * Whether another item of the collection that the path names accepts a call that was refused although its values are
 * valid. Then the item decides: one model makes images, and another does not.
 */
export async function isTakenElsewhere({ client, context }: ContractRun, refused: Case): Promise<boolean> {
  for (const call of context.pool.onOtherItems(refused.call).slice(0, MAX_ITEMS)) {
    const outcome = await client.probe({ ...refused, call });
    if (outcome !== undefined && isSuccess(outcome.exchange)) return true;
  }
  return false;
}
