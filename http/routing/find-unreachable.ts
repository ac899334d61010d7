import { METHODS } from 'node:http';

import type { Operation } from '../../model/api.js';
import { wireMethod } from '../../model/http-method.js';

/** Operations that no request reaches, in one sentence. */
export interface Unreachable {
  /** Of the first. */
  readonly source: Operation['source'];
  readonly sentence: string;
}

/** Whether a path has a `?` or a `#`: a client sends the rest as a query, or does not send it. */
export function hasUnsendablePath({ path }: Pick<Operation, 'path'>): boolean {
  return /[?#]/.test(path.replaceAll(/\{[^{}]*\}/g, ''));
}

/** Operations whose path no request has. */
export function findUnsendable(operations: readonly Operation[]): Unreachable[] {
  const found = operations.filter(hasUnsendablePath);
  return describe(found, 'a path ends before ? and #, so no request has it.');
}

/** Operations whose method Node's HTTP parser refuses before a server sees the request. It knows methods in capitals alone. */
export function findUnparsed(operations: readonly Operation[]): Unreachable[] {
  const found = operations.filter((operation) => !KNOWN.has(wireMethod(operation.method)));
  return describe(found, 'the HTTP parser of Node refuses the method, so that only calls within the process reach it.');
}

const KNOWN: ReadonlySet<string> = new Set(METHODS);

function describe(operations: readonly Operation[], reason: string): Unreachable[] {
  const [first] = operations;
  if (first === undefined) return [];
  const others = operations.length === 1 ? '' : ` and ${operations.length - 1} more`;
  return [{ source: first.source, sentence: `${wireMethod(first.method)} ${first.path}${others}: ${reason}` }];
}
