import type { Operation } from '../../model/api.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { toLiteral } from '../../model/identifiers.js';
import type { UnreachedOperation } from '../../reports/contract/contract-report.js';
import { describedWords } from '../plan/quoted-words.js';
import { toCurl } from '../reproduction/print-curl.js';
import type { ContractRun } from '../execute/contract-run.js';
import { type BodyPlace, bodyPlaces } from '../execute/repair/body-places.js';
import type { Refusal } from './refusals.js';

/** The most lines of configuration that are suggested for one operation. */
const MAX_LINES = 5;

/**
 * Operations that never succeeded. Each says which creation it waits for, or else what the server said, the smallest
 * request that it refused, and the lines of the configuration that may help.
 */
export function describeUnreached(
  run: ContractRun,
  reasonOf: (operation: Operation) => string | undefined,
): UnreachedOperation[] {
  const known = new Map(run.coverage.unreached(run.operations, reasonOf).map((one) => [one.operationId, one] as const));
  return run.operations.flatMap((operation): UnreachedOperation[] => {
    if (run.coverage.hasSucceeded(operation)) return [];
    const seen = known.get(operation.id);
    // A credential that is refused keeps nothing waiting.
    const isForbidden = run.coverage.isForbidden(operation);
    const [waitsFor] = isForbidden ? [] : missingFor(run, operation);
    if (waitsFor !== undefined) return [waiting(run, operation, waitsFor)];
    return seen === undefined ? [] : [{ ...seen, ...detailsOf(run, operation) }];
  });
}

/** The creations without which an operation has no item. */
function missingFor(run: ContractRun, operation: Operation): Operation[] {
  return run.context.pool.missingCreations(operation).filter((one) => !run.coverage.hasSucceeded(one));
}

function waiting(run: ContractRun, { id }: Operation, waitsFor: Operation): UnreachedOperation {
  const isTested = run.operations.includes(waitsFor);
  const why = isTested ? 'which never succeeded' : 'which the run may not call';
  return { operationId: id, reason: `waits for ${waitsFor.id}, ${why}`, waitsFor: waitsFor.id };
}

function detailsOf(run: ContractRun, operation: Operation): Partial<UnreachedOperation> {
  const refusal = run.refusals.mostFrequent(operation);
  if (refusal === undefined) return {};
  const { message, tried, exchange } = refusal;
  const suggestion = suggest(run, refusal);
  const step = { key: exchange, sent: tried, exchange, fills: [] };
  const reproduction = { steps: [step], assertion: { expects: 'response', matches: () => true } } as const;
  return {
    ...(message === '' ? {} : { message: run.secrets.hide(message) }),
    curl: toCurl(reproduction, { wire: run.options, secrets: run.secrets }),
    ...(suggestion === undefined ? {} : { suggestion: run.secrets.hide(suggestion) }),
  };
}

/** The lines of `contract` that give known values for what the server refused, to be pasted and edited. */
function suggest({ options: { api } }: ContractRun, { tried: { call }, message }: Refusal): string | undefined {
  const { id } = call.operation;
  const places = bodyPlaces(call, api);
  const isNamed = ({ name, value }: BodyPlace): boolean =>
    message.includes(name) || (String(value).length > 2 && message.includes(String(value)));
  const named = places.filter(isNamed);
  // A list has no name in `parameters`.
  const chosen = (named.length > 0 ? named : places).filter(({ path }) => path.every((one) => typeof one === 'string'));
  const inBody = chosen.map(({ path, value, schemas }) => {
    const [word = value] = describedWords(schemas);
    return `${toLiteral(`${id}.body.${path.join('.')}`)}: ${stringifyExactJson(word)}`;
  });
  const inPath = [...call.parameters].filter(([one]) => one.in === 'path' || one.required);
  const ofPath = inPath.map(([{ name }, value]) => `${toLiteral(`${id}.${name}`)}: ${stringifyExactJson(value)}`);
  const lines = inBody.length > 0 ? inBody : ofPath;
  return lines.length === 0 ? undefined : `parameters: { ${lines.slice(0, MAX_LINES).join(', ')} }`;
}
