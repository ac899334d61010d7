import type { Api, Operation } from '../../model/api.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { suggestCorrections } from '../../resources/suggest-corrections.js';
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
  const operations = [...run.operations, ...setUpCreations(run)];
  const known = new Map(run.coverage.unreached(operations, reasonOf).map((one) => [one.operationId, one] as const));
  return operations.flatMap((operation): UnreachedOperation[] => {
    if (run.coverage.hasSucceeded(operation)) return [];
    const seen = known.get(operation.id);
    const [waitsFor] = missingFor(run, operation);
    if (waitsFor !== undefined) return [waiting(run, operation, waitsFor)];
    return seen === undefined ? [] : [{ ...seen, ...detailsOf(run, operation) }];
  });
}

/** The operations whose tries explain why one never succeeded: itself, and those that it waits for. */
export function explainedOperations(run: ContractRun, unreached: readonly UnreachedOperation[]): Operation[] {
  const found = new Set(run.operations.map(({ id }) => id));
  for (const id of found) {
    const waitsFor = unreached.find(({ operationId }) => operationId === id)?.waitsFor;
    if (waitsFor !== undefined) found.add(waitsFor);
  }
  return run.options.operations.filter(({ id }) => found.has(id));
}

/** The creations that the run sent without testing them, and that operations wait for. */
function setUpCreations(run: ContractRun): Operation[] {
  const found = new Set(run.operations);
  for (const operation of found) for (const creation of missingFor(run, operation)) found.add(creation);
  return [...found].filter((one) => !run.operations.includes(one) && run.options.operations.includes(one));
}

/** The creations without which an operation has no item. */
function missingFor(run: ContractRun, operation: Operation): Operation[] {
  // A credential that is refused keeps nothing waiting.
  if (run.coverage.hasSucceeded(operation) || run.coverage.isForbidden(operation)) return [];
  return run.context.pool.missingCreations(operation).filter((one) => !run.coverage.hasSucceeded(one));
}

function waiting(run: ContractRun, { id }: Operation, waitsFor: Operation): UnreachedOperation {
  const isSent = run.options.operations.includes(waitsFor);
  const why = isSent ? 'which never succeeded' : 'which the run may not call';
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

/** The lines of the configuration that give known values for what the server refused, and correct what is inferred. */
function suggest({ options: { api } }: ContractRun, refusal: Refusal): string | undefined {
  const { path } = refusal.tried.call.operation;
  const parameters = knownValues(refusal, api).slice(0, MAX_LINES);
  const corrections = suggestCorrections(api).filter((one) => `${path}/`.startsWith(`${one.path}/`));
  const lines = [
    ...(parameters.length === 0 ? [] : [`contract: { parameters: ${write(Object.fromEntries(parameters))} }`]),
    ...(corrections.length === 0
      ? []
      : [`resources: ${write(Object.fromEntries(corrections.map((one) => [one.path, one.correction])))}`]),
  ];
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** JSON with spaces, which YAML and TypeScript read too. */
function write(value: unknown): string {
  return stringifyExactJson(value, 1).replaceAll(/\n */g, ' ');
}

/** Names of `parameters`, with the refused values or words that descriptions quote. */
function knownValues({ tried, largest: { call }, message }: Refusal, api: Api): (readonly [string, unknown])[] {
  const { id } = call.operation;
  const places = bodyPlaces(call, api);
  const isNamed = ({ name, value }: BodyPlace): boolean =>
    message.includes(name) || (String(value).length > 2 && message.includes(String(value)));
  const named = places.filter(isNamed);
  // A list has no name in `parameters`.
  const chosen = (named.length > 0 ? named : places).filter(({ path }) => path.every((one) => typeof one === 'string'));
  const inBody = chosen.map(({ path, value, schemas }) => {
    const [word = value] = describedWords(schemas);
    return [`${id}.body.${path.join('.')}`, word] as const;
  });
  const inPath = [...tried.call.parameters].filter(([one]) => one.in === 'path' || one.required);
  const ofPath = inPath.map(([{ name }, value]) => [`${id}.${name}`, value] as const);
  return inBody.length > 0 ? inBody : ofPath;
}
