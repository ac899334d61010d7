import { findParameter } from '../../../model/find-parameter.js';
import type { Parameter } from '../../../model/api.js';
import { listItemOf } from '../../../resources/envelope.js';
import { listParametersOf } from '../../../resources/list-parameters.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import { countOf, literalOf, same } from '../../expectations/assertion.js';
import { type ListResponse, creationsOf, namesOf, readWith } from './read-list.js';
import { stringifyExactJson } from '../../../runtime/json-integers.js';

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
export async function checkSearch(all: ListResponse): Promise<void> {
  const { run, call, items } = all;
  const { api } = run.options;
  const { text } = listParametersOf(call.operation, listItemOf(call.operation, api) ?? true, api);
  const parameter = findParameter(call.operation, 'query', text?.name);
  if (parameter === undefined || items.some((item) => stringifyExactJson(item).includes(NOWHERE))) return;
  const nothing = await search(all, parameter, NOWHERE);
  if (nothing === undefined) return;
  if (nothing.items.length < items.length) {
    for (const [promise, form] of PROMISES)
      if (promise.test(parameter.description ?? '')) await checkForm(all, parameter, form);
    return;
  }
  run.findings.expect('filter', same(countOf(nothing.place), literalOf(0)), {
    cause: `${parameter.name} ignored`,
    pointer: `query ${parameter.name}`,
    message: `The list searched for ${parameter.name}=${NOWHERE}, which no item contains, contains all items.`,
    expected: 'no items',
    actual: `${nothing.items.length} items`,
    findOthers: () => creationsOf(all, items.slice(-MAX_ITEMS)),
  });
}

async function search(all: ListResponse, parameter: Parameter, text: string): Promise<ListResponse | undefined> {
  const isValid = isValidValue(text, parameter.schema, all.run.options.api);
  return isValid ? readWith(all, [parameter, text]) : undefined;
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

async function checkForm(all: ListResponse, parameter: Parameter, form: OtherForm): Promise<void> {
  const { cause, reason, change } = form;
  const text = all.items.flatMap(namesOf).find((name) => isUsable(name, change(name)));
  const found = text === undefined ? undefined : await search(all, parameter, text);
  const other = text === undefined ? undefined : await search(all, parameter, change(text));
  if (text === undefined || found === undefined || other === undefined || found.items.length === 0) return;
  all.run.findings.expect(
    'filter',
    { expects: 'at least', left: countOf(other.place), right: countOf(found.place) },
    {
      cause: `${parameter.name} ${cause}`,
      pointer: `query ${parameter.name}`,
      message: `${parameter.name}=${change(text)} finds fewer items than ${parameter.name}=${text}, although ${reason}.`,
      expected: `${found.items.length} items`,
      actual: `${other.items.length} items`,
      findOthers: () => [found.exchange, ...creationsOf(all, found.items.slice(0, 1))],
    },
  );
}

function isUsable(name: string, changed: string): boolean {
  return changed !== name && changed.length > 1 && [...name].length <= 40;
}

function swapCase(text: string): string {
  return [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
}
