import { isRecord, mapRecord } from '../../model/document/records.js';
import type { Call } from '../types.js';
import type { Step } from './reproduction.js';

/** Gives a renewed value the new one of an earlier step that had the same value in the same place. */
export function withEqualValues(
  call: Call,
  { sent }: Step,
  { steps, made }: { readonly steps: readonly Step[]; readonly made: readonly Step[] },
): Call {
  const { body } = call;
  if (body === undefined || body.raw !== undefined) return call;
  const value = made.reduce<unknown>((fresh, one, index) => {
    const before = steps[index]?.sent.call;
    if (before?.operation !== call.operation) return fresh;
    const [own, other, otherFresh] = [sent.call, before, one.sent.call].map((each) => each.body?.value);
    return equalised(fresh, own, [other, otherFresh]);
  }, body.value);
  return { ...call, body: { ...body, value } };
}

function equalised(fresh: unknown, own: unknown, [other, otherFresh]: readonly [unknown, unknown]): unknown {
  if (isRecord(fresh) && isRecord(own) && isRecord(other) && isRecord(otherFresh))
    return mapRecord(fresh, (value, name) => equalised(value, own[name], [other[name], otherFresh[name]]));
  const isRenewed = typeof own === 'string' || typeof own === 'number' ? fresh !== own : false;
  return isRenewed && own === other && otherFresh !== undefined ? otherFresh : fresh;
}
