import { scalarText } from '../../../http/request/write-request.js';
import { isCreationOf } from '../../execute/ids/operation-roles.js';
import type { LogEntry } from '../../reproduction/exchange-log.js';
import { kindsShownBy } from '../../reproduction/find-origin.js';
import type { Exchange } from '../../types.js';
import type { ListResponse } from './read-list.js';

/** Items that a list does not show but a wrong total may count: a deleted one, and one below another parent. */
export function findUncounted({ run, call }: ListResponse): Exchange[] {
  const kinds = kindsShownBy(run, call.operation);
  const isInside = ({ sent }: LogEntry): boolean =>
    [...call.parameters].every(([{ in: place, name }, value]) => {
      const own = [...sent.call.parameters].find(([one]) => one.in === 'path' && one.name === name);
      return place !== 'path' || own === undefined || scalarText(own[1]) === scalarText(value);
    });
  const known = run.log.goodFrom(0, Infinity);
  const removed = known.findLast(
    (one) => kinds.some((kind) => kind.delete === one.sent.call.operation) && isInside(one),
  );
  const foreign = known.findLast(
    (one) => kinds.some((kind) => isCreationOf(kind, one.sent.call.operation)) && !isInside(one),
  );
  return [removed, foreign].flatMap((one) => one?.exchange ?? []);
}
