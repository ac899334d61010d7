import { findParameter } from '../../model/find-parameter.js';
import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { escapeRegExp } from '../../model/glob.js';
import { isRecord } from '../../model/document/records.js';
import { listItemOf } from '../../resources/envelope.js';
import { listParametersOf } from '../../resources/list-parameters.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { takeAt } from '../../schema/value-path.js';
import { bodyAt } from '../expectations/assertion.js';
import { demandsCredential } from '../execute/http/made-up-credentials.js';
import { scalarText } from '../../http/request/write-request.js';
import type { Call, Exchange } from '../types.js';
import { itemPlace } from '../plan/call-body.js';
import { type CrudContext } from './crud-context.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** Shorter texts may occur by chance. */
const MIN_LENGTH = 4;

/**
 * Checks that operations such as a search, which show an item besides its path and its list, do not show it to another
 * identity that may not read the item itself.
 */
export async function checkForeignReads(crud: CrudContext): Promise<void> {
  const { run, created } = crud;
  const text = identifyingText(crud);
  if (text === undefined) return;
  for (const operation of readersOf(crud)) {
    const call = await askFor(crud, operation, text);
    const own = call === undefined ? undefined : await send(crud, call);
    if (call === undefined || own === undefined || !shows(own.json, crud, text)) continue;
    const foreign = { ...call, isOther: true };
    const exchange = await send(crud, foreign);
    if (exchange === undefined || !shows(exchange.json, crud, text)) continue;
    const pattern = escapeRegExp(stringifyExactJson(text));
    run.findings.expect(
      'access of others refused',
      { expects: 'matches not', value: bodyAt(exchange, ''), pattern },
      {
        cause: 'shown',
        message: `${operation.id} shows an item of another user.`,
        expected: `a response without ${stringifyExactJson(text)}`,
        others: [created.exchange],
      },
    );
  }
}

async function send({ run }: CrudContext, call: Call): Promise<Exchange | undefined> {
  const kind = call.isOther === true ? 'other identity' : 'valid';
  const exchange = await run.client.send({ phase: 'stateful', call, expectation: { kind } });
  return exchange !== undefined && isSuccess(exchange) ? exchange : undefined;
}

/** A text that the run wrote into the item: its title or name if it has one. */
function identifyingText({ run, created: { call }, id }: CrudContext): string | undefined {
  const { body } = call;
  const item = body === undefined ? undefined : takeAt(body.value, itemPlace(body.media, run.options.api));
  const texts = Object.entries(isRecord(item) ? item : {}).flatMap(([name, value]) =>
    typeof value === 'string' && value.length >= MIN_LENGTH && value !== String(id) ? [{ name, value }] : [],
  );
  return (texts.find(({ name }) => /title|name/i.test(name)) ?? texts[0])?.value;
}

/** Operations that may show items of any kind: neither the list nor the read of a resource. */
function readersOf({ run }: CrudContext): Operation[] {
  const { resources } = run.context.pool;
  const known = new Set(resources.flatMap(({ list, read }) => [list, read]));
  return run.operations.filter((operation) => {
    const isPlain = operation.method === 'get' && !operation.path.includes('{');
    return isPlain && !known.has(operation) && demandsCredential(operation, run.options.api);
  });
}

/** Returns a call of an operation, with a search for the text if it has one. */
async function askFor({ run }: CrudContext, operation: Operation, text: string): Promise<Call | undefined> {
  const base = await run.items.validCall(operation, 'stateful');
  if (base === undefined) return undefined;
  const { api } = run.options;
  const required = [...base.parameters].filter(([one]) => one.required);
  const named = listParametersOf(operation, listItemOf(operation, api) ?? true, api).text;
  const search = findParameter(operation, 'query', named?.name);
  if (search === undefined) return { ...base, parameters: new Map(required) };
  const validate = compileValidator(api, search.schema, { direction: 'request' });
  const asked = [text, [...text].slice(0, 20).join('')].find((one) => validate(one).length === 0);
  return asked === undefined ? undefined : { ...base, parameters: new Map([...required, [search, asked]]) };
}

/** Whether any object in a response has both the item's id and the text. */
function shows(json: unknown, crud: CrudContext, text: string): boolean {
  if (Array.isArray(json)) return json.some((one) => shows(one, crud, text));
  if (!isRecord(json)) return false;
  const values = Object.values(json);
  const hasId = values.some((value) => typeof value !== 'object' && scalarText(value) === String(crud.id));
  return (hasId && values.includes(text)) || values.some((value) => shows(value, crud, text));
}
