import type { Slot } from '../../../resources/resource.js';
import { isRecord } from '../../../model/document/records.js';
import type { Link, Operation } from '../../../model/api.js';
import { findResponse } from '../../../http/response/response-spec.js';
import type { Call, Exchange } from '../../types.js';
import { readExpression, readExpressions } from './runtime-expression.js';

/** The values that a link of a response gives for its target request. */
export interface LinkedCall {
  readonly link: Link;
  /** By name of the parameter, with its place before it where the link says it (`path.id`). */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Members for the body, or the whole of it. */
  readonly body?: unknown;
}

/** The calls that a response leads to; links whose expressions lead nowhere are left out. */
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

/** Puts what a link says into a call: parameters by name, an object beside the other members of the body. */
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

/** All simple values of a link, to see whether it is about an item that is gone. */
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
