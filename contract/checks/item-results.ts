import { isSuccess } from '../../http/messages.js';
import { appendPointer, resolvePointer, splitPointer, toPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { foldName } from '../../resources/inflection.js';
import { type Assertion, bodyAt, literalOf, present } from '../expectations/assertion.js';
import type { Call, Exchange } from '../types.js';

/** Names of members with the status and the error of one result, without letter case and separators. */
const STATUS: ReadonlySet<string> = new Set(['status', 'statuscode', 'code', 'httpstatus', 'httpstatuscode']);
const ERROR: ReadonlySet<string> = new Set(['error', 'errors', 'problem', 'failure']);

/**
 * If a request has a list of items, and the response has a result for each (207, or any success), an invalid item is
 * refused by its own result.
 *
 * @param pointer - the invalid place, such as `body/items/0/name`.
 * @returns the expectation that this result is a refusal; `undefined` if the response has no such results.
 */
export function refusalOfItem(
  pointer: string,
  { body }: Pick<Call, 'body'>,
  exchange: Exchange,
): Assertion | undefined {
  if (!pointer.startsWith('body/') || !isSuccess(exchange)) return undefined;
  const path = splitPointer(pointer.slice('body'.length));
  const depth = path.findIndex((_, at) => Array.isArray(resolvePointer(body?.value, toPointer(path.slice(0, at)))));
  const sent = depth === -1 ? undefined : resolvePointer(body?.value, toPointer(path.slice(0, depth)));
  const index = path[depth];
  const results = Array.isArray(sent) ? resultsFor(sent.length, exchange.json) : undefined;
  if (results === undefined || index === undefined) return undefined;
  const at = appendPointer(results.pointer, index);
  const status = results.statusOf(Number(index));
  if (status !== undefined)
    return { expects: 'at least', left: bodyAt(exchange, appendPointer(at, status)), right: literalOf(400) };
  return present(bodyAt(exchange, appendPointer(at, results.error ?? 'error')));
}

interface Results {
  readonly pointer: string;
  /** The member of a result that has its status. */
  readonly statusOf: (index: number) => string | undefined;
  /** The member that only refused results have. */
  readonly error: string | undefined;
}

/** Finds a list with a result for each item that was sent. */
function resultsFor(count: number, json: unknown): Results | undefined {
  const places = Array.isArray(json)
    ? [['', json] as const]
    : Object.entries(isRecord(json) ? json : {}).map(([name, value]) => [appendPointer('', name), value] as const);
  for (const [pointer, list] of places) {
    if (!Array.isArray(list) || list.length !== count || !list.every(isRecord)) continue;
    const statusOf = (index: number): string | undefined =>
      Object.keys(list[index] ?? {}).find((name) => STATUS.has(foldName(name)) && isStatus(list[index]?.[name]));
    const error = list.flatMap((one) => Object.keys(one)).find((name) => ERROR.has(foldName(name)));
    if (list.every((_, index) => statusOf(index) !== undefined) || error !== undefined)
      return { pointer, statusOf, error };
  }
  return undefined;
}

function isStatus(value: unknown): boolean {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^[1-5]\d\d$/.test(text);
}
