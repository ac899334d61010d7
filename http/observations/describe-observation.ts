import { wireMethod } from '../../model/http-method.js';
import type { Operation } from '../../model/api.js';
import type { FoldedObservation, ResponseTally } from './observation.js';

/** An operation as its readers know it, such as `GET /users/{id}`. */
export function nameOperation({ method, path }: Operation): string {
  return `${wireMethod(method)} ${path}`;
}

/** A number of things, such as `3 of 41 calls` or `all 41 calls`. */
export function countOf(count: number, noun: string, all?: number): string {
  const [before, after] = all === undefined ? ['', ''] : all > count ? ['', ` of ${all}`] : ['all ', ''];
  const isOne = (all ?? count) === 1;
  return `${isOne ? '' : before}${count}${after} ${noun}${isOne ? '' : 's'}`;
}

/** When calls showed something: the days, since no reader needs more. */
export function describeDays({ first, last }: Pick<ResponseTally, 'first' | 'last'>): string {
  const [from, to] = [first, last].map((at) => new Date(at).toISOString().slice(0, 10));
  return from === to ? `on ${from ?? ''}` : `from ${from ?? ''} to ${to ?? ''}`;
}

/** Where the values of an observation were seen, such as `/customer in 200 of GET /orders`. */
export function describePlace({ pointer, example, operations }: FoldedObservation): string {
  const others = operations.size - 1;
  const more = others > 0 ? ` and ${countOf(others, 'other operation')}` : '';
  const value = pointer === '' ? 'The body' : pointer.startsWith('/') ? pointer : `The header ${pointer}`;
  return `${value} of ${nameOperation(example.operation)} (${example.status})${more}`;
}
