import { resolvePointer } from '../../model/document/pointer.js';
import type { ContractRun } from '../execute/contract-run.js';
import { isSame } from '../stateful/compare-values.js';
import { withPathOf } from '../execute/ids/id-slot.js';
import type { Call, Case } from '../types.js';
import type { LogEntry } from './exchange-log.js';
import { placesOf } from './find-origin.js';

/** The last request that wrote what a response shows at a place, at the same address. */
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

/**
 * A valid request for one that breaks the spec and was accepted nevertheless: a server that is right refuses it, and then
 * there is nothing for the requests behind it.
 */
export function findProper(run: ContractRun, entry: LogEntry, to: number): Case | undefined {
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

function onSameItem(proper: Call, call: Call): Call {
  const { headers, tag } = call;
  return {
    ...withPathOf(proper, call),
    ...(headers === undefined ? {} : { headers }),
    ...(tag === undefined ? {} : { tag }),
  };
}
