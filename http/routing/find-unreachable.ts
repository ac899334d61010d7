import { METHODS } from 'node:http';

import type { Operation } from '../../model/api.js';
import { wireMethod } from '../../model/http-method.js';

/** Operations that no request can reach, described in one sentence. */
export interface Unreachable {
  /** The place of the first operation. */
  readonly source: Operation['source'];
  readonly sentence: string;
}

/** Whether a path has a `?` or `#`, so that clients would send the rest as a query or not at all. */
export function hasUnsendablePath({ path }: Pick<Operation, 'path'>): boolean {
  return /[?#]/.test(path.replaceAll(/\{[^{}]*\}/g, ''));
}

/** Finds operations whose path no request can have. */
export function findUnsendable(operations: readonly Operation[]): Unreachable[] {
  const found = operations.filter(hasUnsendablePath);
  return describe(found, 'a path ends before ? and #, so no request has it.');
}

/** Finds operations whose method Node's HTTP parser refuses; it knows only certain upper-case methods. */
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
