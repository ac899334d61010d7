import { isRecord } from '../../model/document/records.js';
import { itemsIn, listPathIn } from '../../resources/envelope.js';
import { appendPointer, resolvePointer } from '../../model/document/pointer.js';
import { scalarText } from '../execute/http/serialize-parameter.js';
import { idsOf } from '../../resources/extract-id.js';
import { nextLink } from '../stateful/pagination/links.js';
import { isSame } from '../stateful/compare-values.js';
import type { Exchange, Outcome } from '../types.js';
import type { Step } from './reproduction.js';
import { readSource } from './capture.js';
import type { Assertion, IdValue, ListPlace, Value } from './assertion.js';

/** The exchanges that an assertion looks at. */
export function exchangesOf(assertion: Assertion): Exchange[] {
  switch (assertion.expects) {
    case 'response':
      return [];
    case 'same':
    case 'other':
      return [...valueExchanges(assertion.left), ...valueExchanges(assertion.right)];
    case 'listed':
    case 'not listed':
      return [...assertion.list.pages, assertion.id.exchange];
    case 'same items':
      return [assertion.whole, ...assertion.list.pages];
    case 'that':
      return [...assertion.exchanges];
    case 'page size':
    case 'each once':
      return [...assertion.list.pages];
    default:
      return [assertion.exchange];
  }
}

function valueExchanges(value: Value): Exchange[] {
  if (value.from === 'literal') return [];
  if (value.from === 'id') return [value.id.exchange];
  return value.from === 'item' ? [...value.list.pages, value.id.exchange] : [value.exchange];
}

/** The ids of the items that an assertion is about. */
export function idsIn(assertion: Assertion): IdValue[] {
  if (assertion.expects === 'listed' || assertion.expects === 'not listed') return [assertion.id];
  if (assertion.expects !== 'same' && assertion.expects !== 'other') return [];
  return [assertion.left, assertion.right].flatMap((value) => ('id' in value ? [value.id] : []));
}

/** Whether the steps, as last repeated, violate an assertion. */
export function isBroken(assertion: Assertion, steps: readonly Step[], outcome: Outcome): boolean {
  const responseOf = (key: Exchange): Exchange => steps.find((step) => step.key === key)?.exchange ?? key;
  const read = (value: Value): unknown => readValue(value, steps, responseOf);
  switch (assertion.expects) {
    case 'response':
      return assertion.matches(outcome);
    case 'that':
      return !assertion.holds(assertion.exchanges.map((exchange) => responseOf(exchange)));
    case 'status': {
      const { status } = responseOf(assertion.exchange);
      if (assertion.status === 'good') return status >= 300;
      return assertion.status === 'refused' ? status < 400 : status !== assertion.status;
    }
    case 'same': {
      const wanted = read(assertion.right);
      // Members that were not sent need not be shown.
      if (wanted === undefined && assertion.right.from === 'request') return false;
      const shown = read(assertion.left);
      // A null member may be left out.
      return !(wanted === null && shown === undefined) && !isShownAs(wanted, shown);
    }
    case 'other': {
      const left = read(assertion.left);
      return left !== undefined && isSame(read(assertion.right), left);
    }
    case 'listed':
    case 'not listed': {
      const wanted = lastPart(readId(assertion.id, responseOf));
      const isIn = listIds(assertion.list, responseOf).some((id) => lastPart(id) === wanted);
      return isIn !== (assertion.expects === 'listed');
    }
    case 'page size':
      return assertion.list.pages.some((page) => itemsAt(responseOf(page), assertion.list).length > assertion.most);
    case 'each once': {
      const ids = listIds(assertion.list, responseOf);
      return new Set(ids).size < ids.length;
    }
    case 'same items': {
      const ids = listIds(assertion.list, responseOf);
      const all = listIds({ ...assertion.list, pages: [assertion.whole] }, responseOf);
      const last = responseOf(assertion.list.pages.at(-1) ?? assertion.whole);
      const isEnd =
        assertion.nextAt === undefined
          ? itemsAt(last, assertion.list).length < assertion.size
          : isLastPage(resolvePointer(last.json, assertion.nextAt));
      const wanted = isEnd ? all : all.slice(0, ids.length);
      return JSON.stringify([...wanted].sort()) !== JSON.stringify([...ids].sort());
    }
    case 'no next link':
      return nextLink(responseOf(assertion.exchange)) !== undefined;
    case 'header': {
      const value = responseOf(assertion.exchange).headers.get(assertion.name);
      return value === null || !new RegExp(assertion.pattern ?? '').test(value);
    }
    default:
      return !responseOf(assertion.exchange).text.includes(assertion.text);
  }
}

/** Whether a value, such as a cursor or `has_more`, marks the last page. */
function isLastPage(next: unknown): boolean {
  return next === undefined || next === null || next === '' || next === false;
}

function readValue(value: Value, steps: readonly Step[], responseOf: (key: Exchange) => Exchange): unknown {
  switch (value.from) {
    case 'response':
      return resolvePointer(responseOf(value.exchange).json, value.pointer);
    case 'header':
      return responseOf(value.exchange).headers.get(value.name) ?? undefined;
    case 'text':
      return responseOf(value.exchange).text;
    case 'literal':
      return value.value;
    case 'request':
      return sentAt(value, steps);
    case 'id':
      return readId(value.id, responseOf);
    default: {
      const wanted = lastPart(readId(value.id, responseOf));
      const items = value.list.pages.flatMap((page) => itemsAt(responseOf(page), value.list));
      const item = items.find((one) => lastPart(resolvePointer(one, value.list.idAt ?? '')) === wanted);
      return resolvePointer(item, value.pointer);
    }
  }
}

/** The value that a step sent at a pointer in its body. */
export function sentAt(
  { exchange, pointer }: { readonly exchange: Exchange; readonly pointer: string },
  steps: readonly Step[],
): unknown {
  return resolvePointer(steps.find(({ key }) => key === exchange)?.sent.call.body?.value, pointer);
}

function readId({ value, exchange, source }: IdValue, responseOf: (key: Exchange) => Exchange): string | number {
  return (source === undefined ? undefined : readSource(source, responseOf(exchange))) ?? value;
}

function itemsAt({ json }: Exchange, { itemsAt: pointer }: ListPlace): readonly unknown[] {
  const items = resolvePointer(json, pointer);
  return Array.isArray(items) ? items : [];
}

function listIds(list: ListPlace, responseOf: (key: Exchange) => Exchange): string[] {
  const items = list.pages.flatMap((page) => itemsAt(responseOf(page), list));
  return items.map((item) => {
    const id = list.idAt === undefined ? undefined : resolvePointer(item, list.idAt);
    return id === undefined ? JSON.stringify(item) : scalarText(id);
  });
}

/** Lists may put the collection before the name of an item. */
function lastPart(id: unknown): string | undefined {
  return String(id).split('/').at(-1);
}

/** Finds the items of a list and their ids. `path`: where the spec puts the items. */
export function findListPlace(pages: readonly Exchange[], parameter: string, path?: readonly string[]): ListPlace {
  const place = path ?? listPathIn(pages[0]?.json) ?? [];
  const items = pages.flatMap((page) => itemsIn(page.json, place) ?? []);
  const idAt = items.map((item) => pointerToId(item, parameter))[0];
  return { pages, itemsAt: place.reduce(appendPointer, ''), ...(idAt === undefined ? {} : { idAt }) };
}

function pointerToId(item: unknown, parameter: string): string | undefined {
  const [id] = idsOf(item, parameter);
  const open: [string, unknown][] = [['', item]];
  for (let count = 0; open.length > 0 && count < 500; count += 1) {
    const [pointer, value] = open.shift() ?? ['', undefined];
    if (value === id) return pointer;
    if (!isRecord(value)) continue;
    for (const [key, member] of Object.entries(value)) open.push([appendPointer(pointer, key), member]);
  }
  return undefined;
}

/** Compares a written value with the shown one. For an object, only checks that an object is shown. */
function isShownAs(wanted: unknown, shown: unknown): boolean {
  if (isRecord(wanted)) return isRecord(shown);
  return isSame(wanted, shown);
}
