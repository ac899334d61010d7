import type { Slot } from '../../../resources/resource.js';
import { isRecord } from '../../../model/document/records.js';
import type { Link, Operation } from '../../../model/api.js';
import { findResponse } from '../../../http/response/response-spec.js';
import type { Call, Exchange } from '../../types.js';
import { resolvePointer } from '../../../model/document/pointer.js';
import { scalarText } from '../../../http/request/write-request.js';

/** The values that a link gives for its target request. */
export interface LinkedCall {
  readonly link: Link;
  /** By parameter name, prefixed with its place if the link says so (`path.id`). */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Members of the body, or the whole body. */
  readonly body?: unknown;
}

/** The calls that a response links to. Links with unresolvable expressions are left out. */
export function followLinks(call: Call, exchange: Exchange): LinkedCall[] {
  const links = findResponse(call.operation, exchange.status)?.links ?? [];
  return links.flatMap((link): LinkedCall[] => {
    const source = { call, exchange };
    const entries = Object.entries(link.parameters).map(
      ([name, expression]) => [name, readExpression(expression, source)] as const,
    );
    const body = link.requestBody === undefined ? undefined : readExpressions(link.requestBody, source);
    const isBroken =
      entries.some(([, value]) => value === undefined) || (link.requestBody !== undefined && body === undefined);
    if (isBroken) return [];
    return [{ link, parameters: Object.fromEntries(entries), ...(body === undefined ? {} : { body }) }];
  });
}

/** Applies a link to a call: parameters by name, and an object by adding its members to the body. */
export function applyLink(call: Call, { parameters, body }: LinkedCall): Call {
  const known = new Map(Object.entries(parameters));
  const given = call.operation.parameters.flatMap((parameter) => {
    const value = known.get(`${parameter.in}.${parameter.name}`) ?? known.get(parameter.name);
    return value === undefined ? [] : [[parameter, value] as const];
  });
  const linked = { ...call, parameters: new Map([...call.parameters, ...given]) };
  if (body === undefined || call.body === undefined || call.body.raw !== undefined) return linked;
  const value = isRecord(body) && isRecord(call.body.value) ? { ...call.body.value, ...body } : body;
  return { ...linked, body: { ...call.body, value } };
}

/** Where a link puts values into a call. */
export function linkedSlots({ parameters: own }: Operation, { parameters, body }: LinkedCall): Slot[] {
  const names = new Set(Object.keys(parameters));
  const filled = own.filter(({ in: place, name }) => names.has(`${place}.${name}`) || names.has(name));
  return [
    ...filled.map((parameter): Slot => ({ in: 'parameter', parameter })),
    ...(isRecord(body) ? Object.keys(body).map((name): Slot => ({ in: 'body', name })) : []),
  ];
}

/** The operations whose responses have a link to this one. */
export function linkSources(operation: Operation, operations: readonly Operation[]): Operation[] {
  return operations.filter(
    (one) =>
      one !== operation &&
      one.responses.some(({ links }) => links.some(({ operationId }) => operationId === operation.id)),
  );
}

/** All scalars of a link, to see whether an item is gone. */
export function linkedScalars({ parameters, body }: LinkedCall): unknown[] {
  const open: unknown[] = [parameters, body];
  const scalars: unknown[] = [];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'object' && next !== null) open.push(...(Object.values(next) as unknown[]));
    else if (next !== undefined) scalars.push(next);
  }
  return scalars;
}

/** The request and response that a link's runtime expressions read from. */
interface ExpressionSource {
  readonly call: Call;
  readonly exchange: Exchange;
}

/**
 * Evaluates a runtime expression (OpenAPI 3.1, 4.8.20.4), also in braces inside other text. Other values are returned
 * unchanged. `undefined` if the call or the response has no such place.
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

/** Evaluates expressions inside lists and objects. `undefined` if any expression has no value. */
function readExpressions(value: unknown, source: ExpressionSource): unknown {
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
