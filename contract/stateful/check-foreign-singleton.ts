import { isSuccess } from '../../http/messages.js';
import { isRecord } from '../../model/document/records.js';
import { appendPointer } from '../../model/document/pointer.js';
import { bodyAt, other, sentAt } from '../expectations/assertion.js';
import { demandsCredential } from '../execute/http/made-up-credentials.js';
import type { Call, Exchange } from '../types.js';
import { type CrudContext, latestRead } from './crud-context.js';
import { varyBody } from './maximal-body.js';
import { isSameJson } from '../../model/exact-json.js';

/**
 * Matches paths of things that each user has alone: `/me/settings`, `/preferences`. Others, such as `/settings`, may be
 * shared.
 */
const OF_USER = /\/(?:me|my|mine|self|current[_-]?user)(?:\/|$)|\/(?:my|user)?[_-]?(?:preferences|profile)$/i;

/** Checks that what one user writes into a thing of their own is not shown to another user. */
export async function checkForeignSingleton(crud: CrudContext, write: Call): Promise<void> {
  const { run, resource } = crud;
  const { read } = resource;
  if (read === undefined || Object.keys(run.options.otherHeaders).length === 0) return;
  if (read.path.includes('{') || !OF_USER.test(read.path) || !demandsCredential(read, run.options.api)) return;
  const foreign: Call = { operation: read, parameters: new Map(), isOther: true };
  const before = await sendForeign(crud, foreign);
  const call = before === undefined ? undefined : makeDistinctWrite(crud, write, before);
  const exchange = call === undefined ? undefined : await run.client.sendValid(call);
  if (before === undefined || exchange === undefined || !isSuccess(exchange)) return;
  const own = await latestRead(crud);
  const after = await sendForeign(crud, foreign);
  const name = unlike(call?.body?.value, before).find((one) =>
    [own, after].every((shown) => isSame(shown?.json, one, call?.body?.value)),
  );
  if (after === undefined || name === undefined) return;
  const pointer = appendPointer('', name);
  run.findings.expect('access of others refused', other(bodyAt(after, pointer), sentAt(exchange, pointer)), {
    cause: 'shared',
    message: `${pointer} of one user shows what another user has written.`,
    expected: 'a value of its own',
  });
}

async function sendForeign({ run }: CrudContext, call: Call): Promise<Exchange | undefined> {
  const exchange = await run.client.send({ phase: 'stateful', call, expectation: { kind: 'other identity' } });
  return exchange?.status === 200 && isRecord(exchange.json) ? exchange : undefined;
}

/** Returns a write of values that the other identity does not have. */
function makeDistinctWrite({ run }: CrudContext, write: Call, before: Exchange): Call | undefined {
  const { body, operation } = write;
  if (body === undefined) return undefined;
  const varied = varyBody(body, operation, { run, seed: run.options.seed + 73 });
  const found = [body, ...(varied === undefined ? [] : [varied])].find((one) => unlike(one.value, before).length > 0);
  return found === undefined ? undefined : { ...write, body: found };
}

/** The members whose written value differs from the one in a response. */
function unlike(written: unknown, { json }: Exchange): string[] {
  return Object.keys(isRecord(written) ? written : {}).filter(
    (name) => isRecord(json) && Object.hasOwn(json, name) && !isSame(json, name, written),
  );
}

function isSame(json: unknown, name: string, written: unknown): boolean {
  if (!isRecord(json) || !isRecord(written)) return false;
  return isSameJson(json[name], written[name]);
}
