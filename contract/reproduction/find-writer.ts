import { resolvePointer } from '../../model/document/pointer.js';
import type { ContractRun } from '../execute/contract-run.js';
import { isSame } from '../expectations/is-same.js';
import { withPathOf } from '../execute/ids/id-slot.js';
import type { Call, Case } from '../types.js';
import type { LogEntry } from './exchange-log.js';
import { placesOf } from './find-origin.js';

/** The last request to the same URL that wrote the value at a place in a response. */
export function writerOf(run: ContractRun, entry: LogEntry, pointer: string): LogEntry | undefined {
  const shown = resolvePointer(entry.exchange.json, pointer);
  if (pointer === '' || shown === undefined) return undefined;
  const address = addressOf(entry);
  return run.log
    .goodBefore(entry)
    .findLast(
      (one) =>
        addressOf(one) === address &&
        !run.context.pool.roles.isCreation(one.sent.call.operation) &&
        isSame(resolvePointer(one.sent.call.body?.value, pointer), shown),
    );
}

function addressOf({ exchange: { request } }: LogEntry): string {
  return request.url.split('?', 1)[0] ?? '';
}

/** Replaces an invalid request of a reproduction by a valid one, so that the steps also work on a fixed server. */
export function findValidTwin(run: ContractRun, entry: LogEntry, to: number): Case | undefined {
  const { call, expectation } = entry.sent;
  if (expectation.kind !== 'invalid') return undefined;
  const known = run.log
    .goodFrom(0, to)
    .filter(({ sent }) => sent.call.operation === call.operation && sent.expectation.kind === 'valid');
  const hasNoIds = ({ sent }: LogEntry): boolean =>
    placesOf(run, sent.call).every((place) => place.in === 'parameter' && place.parameter.in === 'path');
  const other = known.findLast(({ number }) => number < entry.number) ?? known.find(hasNoIds);
  if (other === undefined) return undefined;
  return { ...other.sent, phase: entry.sent.phase, call: onSameItem(other.sent.call, call) };
}

function onSameItem(validTwin: Call, call: Call): Call {
  const { headers, tag } = call;
  return {
    ...withPathOf(validTwin, call),
    ...(headers === undefined ? {} : { headers }),
    ...(tag === undefined ? {} : { tag }),
  };
}
