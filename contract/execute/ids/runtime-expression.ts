import { resolvePointer } from '../../../model/document/pointer.js';
import { isRecord } from '../../../model/document/records.js';
import { scalarText } from '../http/serialize-parameter.js';
import type { Call, Exchange } from '../../types.js';

/** The input of runtime expressions of a link: a request and its response. */
export interface ExpressionSource {
  readonly call: Call;
  readonly exchange: Exchange;
}

/**
 * The value of a runtime expression (OpenAPI 3.1, 4.8.20.4), also of one in braces inside other text; any other value is
 * itself. `undefined` where the call or the response has no such place.
 *
 * @example readExpression('$response.body#/id', source) // 7
 */
export function readExpression(expression: unknown, source: ExpressionSource): unknown {
  if (typeof expression !== 'string') return expression;
  if (expression.startsWith('$')) return readPlace(expression.slice(1), source);
  const whole = /^\{\$([^{}]*)\}$/.exec(expression)?.[1];
  if (whole !== undefined) return readPlace(whole, source);
  let isWhole = true;
  const text = expression.replaceAll(/\{\$([^{}]*)\}/g, (_, place: string) => {
    const value = readPlace(place, source);
    if (value === undefined || typeof value === 'object') isWhole = false;
    return scalarText(value);
  });
  return isWhole ? text : undefined;
}

/** Expressions also inside lists and objects; a member whose expression leads nowhere makes it all `undefined`. */
export function readExpressions(value: unknown, source: ExpressionSource): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => readExpressions(item, source));
    return items.includes(undefined) ? undefined : items;
  }
  if (!isRecord(value)) return readExpression(value, source);
  const members = Object.entries(value).map(([name, member]) => [name, readExpressions(member, source)] as const);
  return members.some(([, member]) => member === undefined) ? undefined : Object.fromEntries(members);
}

function readPlace(place: string, { call, exchange }: ExpressionSource): unknown {
  if (place === 'url') return exchange.request.url;
  if (place === 'method') return exchange.request.method;
  if (place === 'statusCode') return exchange.status;
  const [, side, what, rest = ''] = /^(request|response)\.(header|query|path|body)([.#].*)?$/s.exec(place) ?? [];
  if (what === 'body') {
    const body: unknown = side === 'request' ? call.body?.value : exchange.json;
    return rest === '' ? body : rest.startsWith('#') ? resolvePointer(body, rest.slice(1)) : undefined;
  }
  const name = rest.startsWith('.') ? rest.slice(1) : '';
  if (name === '' || what === undefined) return undefined;
  if (side === 'response') return what === 'header' ? (exchange.headers.get(name) ?? undefined) : undefined;
  if (what === 'header')
    return Object.entries(exchange.request.headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  return [...call.parameters].find(([one]) => one.in === what && one.name === name)?.[1];
}
