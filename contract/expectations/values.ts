import { toJsonLiteral, toLiteral } from '../../model/identifiers.js';
import { resolvePointer } from '../../model/document/pointer.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { memberPath } from '../reproduction/member-path.js';
import { linkCode, nextLink } from './next-link.js';
import type { Exchange } from '../types.js';
import type { Evidence, Value, ValueOf } from './assertion.js';
import { type PrintedValue, mustBeListed, mustBeListedCode } from './filters.js';
import { findItem, idCode, itemsOf, lastPartCode, readId } from './lists.js';
import type { Printer } from './printer.js';

/** What can be done with a kind of value: reading it and printing code that reads the same. */
interface ValueKind<V> {
  readonly exchanges: (value: V) => readonly Exchange[];
  readonly read: (value: V, evidence: Evidence) => unknown;
  readonly code: (value: V, printer: Printer) => string;
}

const VALUE_KINDS: { readonly [K in Value['from']]: ValueKind<ValueOf<K>> } = {
  response: {
    exchanges: ({ exchange }) => [exchange],
    read: ({ exchange, pointer }, { responseTo }) => resolvePointer(responseTo(exchange).json, pointer),
    code: ({ exchange, pointer }, printer) => `${printer.body(exchange)}${memberPath(pointer, '?')}`,
  },
  header: {
    exchanges: ({ exchange }) => [exchange],
    read: ({ exchange, name }, { responseTo }) => responseTo(exchange).headers.get(name) ?? undefined,
    code: ({ exchange, name }, { names }) => `${names.response(exchange)}.headers.get(${toLiteral(name)})`,
  },
  text: {
    exchanges: ({ exchange }) => [exchange],
    read: ({ exchange }, { responseTo }) => responseTo(exchange).text,
    code: ({ exchange }, { names }) => `await ${names.response(exchange)}.text()`,
  },
  literal: {
    exchanges: () => [],
    read: ({ value }) => value,
    code: ({ value }) => jsonCode(value),
  },
  request: {
    exchanges: ({ exchange }) => [exchange],
    read: ({ exchange, pointer }, { callOf }) => resolvePointer(callOf(exchange)?.body?.value, pointer),
    code: ({ exchange, pointer }, printer) => printer.sent(exchange, pointer),
  },
  parameter: {
    exchanges: ({ exchange }) => [exchange],
    read: ({ exchange, parameter, value }, { callOf }) => callOf(exchange)?.parameters.get(parameter) ?? value,
    code: ({ exchange, parameter, value }, printer) => printer.taken(exchange, parameter) ?? jsonCode(value),
  },
  item: {
    exchanges: ({ list, id }) => [...list.pages, id.exchange],
    read: ({ list, id, pointer }, evidence) => resolvePointer(findItem(list, id, evidence), pointer),
    code: ({ list, id, pointer }, printer) => {
      const isIt = `${lastPartCode(idCode(list))} === ${lastPartCode(printer.id(id))}`;
      return `${printer.items(list)}.find((item) => ${isIt})${memberPath(pointer, '?')}`;
    },
  },
  id: {
    exchanges: ({ id }) => [id.exchange],
    read: ({ id }, evidence) => readId(id, evidence),
    code: ({ id }, printer) => printer.id(id),
  },
  count: {
    exchanges: ({ list, where }) => [...list.pages, ...(where === undefined ? [] : valueExchanges(where.value))],
    read: ({ list, pageSize = 1, where }, evidence) => {
      const value = where && readValue(where.value, evidence);
      const items = itemsOf(list, evidence).filter((item) => where === undefined || mustBeListed(where, item, value));
      return Math.ceil(items.length / pageSize);
    },
    code: ({ list, pageSize, where }, printer) => {
      const value = where && printedValue(where.value, printer);
      const filtered = where && value ? `.filter((item) => ${mustBeListedCode(where, value)})` : '';
      const length = `${printer.items(list)}${filtered}.length`;
      return pageSize === undefined ? length : `Math.ceil(${length} / ${pageSize})`;
    },
  },
  'next link': {
    exchanges: ({ exchange }) => [exchange],
    read: ({ exchange }, { responseTo }) => nextLink(responseTo(exchange))?.href,
    code: ({ exchange }, { names }) => linkCode('next', `${names.response(exchange)}.headers.get('link') ?? ''`),
  },
  'link query': {
    exchanges: ({ exchange }) => [exchange],
    read: ({ exchange, pointer, name }, { responseTo }) => {
      const link = resolvePointer(responseTo(exchange).json, pointer);
      if (typeof link !== 'string' || !URL.canParse(link, 'http://localhost')) return undefined;
      return new URL(link, 'http://localhost').searchParams.get(name) ?? undefined;
    },
    code: ({ exchange, pointer, name }, printer) =>
      `new URL(${printer.body(exchange)}${memberPath(pointer, '?')}, 'http://localhost').searchParams.get(${toLiteral(name)})`,
  },
};

/** A value and its code, as the code of filters needs them. */
export function printedValue(value: Value, printer: Printer): PrintedValue {
  return { code: valueCode(value, printer), value: readValue(value, printer.evidence) };
}

function jsonCode(value: unknown): string {
  return value === undefined ? 'undefined' : toJsonLiteral(stringifyExactJson(value));
}

function kindOf(value: Value): ValueKind<Value> {
  return VALUE_KINDS[value.from] as ValueKind<Value>;
}

/** The exchanges that a value is read from. */
export function valueExchanges(value: Value): readonly Exchange[] {
  return kindOf(value).exchanges(value);
}

export function readValue(value: Value, evidence: Evidence): unknown {
  return kindOf(value).read(value, evidence);
}

export function valueCode(value: Value, printer: Printer): string {
  return kindOf(value).code(value, printer);
}

/** A value as the texts of a finding show it. */
export function valueText(value: Value, evidence: Evidence): string {
  const read = readValue(value, evidence);
  if (read === undefined) return value.from === 'header' ? 'no such header' : 'nothing';
  return typeof read === 'string' && (value.from === 'header' || value.from === 'text')
    ? read
    : stringifyExactJson(read);
}

/** Whether a value, such as a cursor or `has_more`, marks the last page. */
export function isEmpty(value: unknown): boolean {
  return isMissing(value) || value === '' || value === false;
}

export function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}
