import { findParameter } from '../../../model/find-parameter.js';
import type { Operation, Parameter } from '../../../model/api.js';
import { listItemOf } from '../../../resources/envelope.js';
import { listParametersOf } from '../../../resources/pagination.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { problem } from '../../checks/problem.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Exchange } from '../../types.js';
import { type ListResponse, creationsOf, itemsCode, itemsOf, namesOf, readList } from './read-list.js';

/** A word that no item contains. */
const NOWHERE = 'qzxspecmillqzx';
/** The most items that a reproduction creates. */
const MAX_ITEMS = 3;
const ANY_CASE =
  /case[- ]?insensitiv|any case|(?:ignor(?:e|es|ed|ing)|regardless of|whatever) (?:the |upper|letter )?case/i;

/**
 * Checks that a search text (`q`, `search`) has an effect, and that a search ignores case and finds parts of names if
 * its description says so.
 */
export async function checkSearch(run: ContractRun, operation: Operation, all: ListResponse): Promise<void> {
  const { api } = run.options;
  const { text } = listParametersOf(operation, listItemOf(operation, api) ?? true, api);
  const parameter = findParameter(operation, 'query', text?.name);
  if (parameter === undefined || all.items.some((item) => JSON.stringify(item).includes(NOWHERE))) return;
  const nothing = await search(run, { operation, parameter }, NOWHERE);
  if (nothing === undefined) return;
  if (nothing.items.length > 0 && nothing.items.length >= all.items.length)
    reportIgnored(run, all, { nothing, parameter });
  else
    for (const [promise, form] of PROMISES)
      if (promise.test(parameter.description ?? '')) await checkForm(run, all, { operation, parameter, form });
}

interface Search {
  readonly operation: Operation;
  readonly parameter: Parameter;
}

async function search(
  run: ContractRun,
  { operation, parameter }: Search,
  text: string,
): Promise<ListResponse | undefined> {
  const validate = compileValidator(run.options.api, parameter.schema, { direction: 'request' });
  return validate(text).length > 0 ? undefined : readList(run, operation, new Map([[parameter, text]]));
}

function reportIgnored(
  run: ContractRun,
  all: ListResponse,
  { nothing, parameter }: { readonly nothing: ListResponse; readonly parameter: Parameter },
): void {
  const { operation } = all.call;
  const found = problem('filter', {
    cause: `${parameter.name} ignored`,
    pointer: `query ${parameter.name}`,
    message: `With ${parameter.name}=${NOWHERE}, which no item contains, the list has all items.`,
    expected: 'no items',
    actual: `${nothing.items.length} items`,
  });
  const assertion = {
    expects: 'that',
    exchanges: [nothing.exchange],
    holds: ([response]: readonly Exchange[]) => itemsOf(run, operation, response).length === 0,
    code: ([body = '']: readonly string[]) => `${itemsCode(operation, run, body)}.length === 0`,
  } as const;
  const others = creationsOf(run, operation, all.items.slice(-MAX_ITEMS));
  run.report(found, { call: nothing.call, phase: 'stateful', assertion, others }, nothing.exchange);
}

/** Another form of a name that must find as many items as the name itself. */
interface OtherForm {
  readonly cause: string;
  readonly reason: string;
  readonly change: (name: string) => string;
}

/** The descriptions of searches that promise another form of a name. */
const PROMISES: readonly (readonly [RegExp, OtherForm])[] = [
  [ANY_CASE, { cause: 'case', reason: 'the case does not matter', change: swapCase }],
  [
    /\bcontain(?:s|ing)?\b(?!.{0,20}\bwords?\b)/i,
    { cause: 'part', reason: 'it contains this', change: (name) => [...name].slice(1, -1).join('').trim() },
  ],
];

async function checkForm(
  run: ContractRun,
  all: ListResponse,
  { operation, parameter, form }: Search & { readonly form: OtherForm },
): Promise<void> {
  const { cause, reason, change } = form;
  const text = all.items.flatMap(namesOf).find((name) => isUsable(name, change(name)));
  const found = text === undefined ? undefined : await search(run, { operation, parameter }, text);
  const other = text === undefined ? undefined : await search(run, { operation, parameter }, change(text));
  if (text === undefined || found === undefined || other === undefined) return;
  if (found.items.length === 0 || other.items.length >= found.items.length) return;
  const wrong = problem('filter', {
    cause: `${parameter.name} ${cause}`,
    pointer: `query ${parameter.name}`,
    message: `${parameter.name}=${change(text)} finds less than ${parameter.name}=${text}, although ${reason}.`,
    expected: `${found.items.length} items`,
    actual: `${other.items.length} items`,
  });
  const assertion = {
    expects: 'that',
    exchanges: [other.exchange, found.exchange],
    holds: ([one, whole]: readonly Exchange[]) =>
      itemsOf(run, operation, one).length >= itemsOf(run, operation, whole).length,
    code: ([one = '', whole = '']: readonly string[]) =>
      `${itemsCode(operation, run, one)}.length >= ${itemsCode(operation, run, whole)}.length`,
  } as const;
  const others = [found.exchange, ...creationsOf(run, operation, found.items.slice(0, 1))];
  run.report(wrong, { call: other.call, phase: 'stateful', assertion, others }, other.exchange);
}

function isUsable(name: string, changed: string): boolean {
  return changed !== name && changed.length > 1 && [...name].length <= 40;
}

function swapCase(text: string): string {
  return [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
}
