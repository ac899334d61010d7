import { wireMethod } from '../../model/http-method.js';
import type { Api, Operation } from '../../model/api.js';
import type { FoldedObservation, ObservedExample, ResponseTally } from './observation.js';
import type { PlaceTotals } from './place-totals.js';

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
export function describePlace({
  pointer,
  example,
  operations,
}: Pick<FoldedObservation, 'pointer' | 'operations'> & {
  readonly example: Pick<ObservedExample, 'operation' | 'status'>;
}): string {
  const others = operations.size - 1;
  const more = others > 0 ? ` and ${countOf(others, 'other operation')}` : '';
  const value = pointer === '' ? 'The body' : pointer.startsWith('/') ? pointer : `The header ${pointer}`;
  return `${value} of ${nameOperation(example.operation)} (${example.status})${more}`;
}

/** What the actions for schemas are made of. */
export interface SchemaContext {
  readonly api: Api;
  readonly totals: PlaceTotals;
}

/** How many of the values at the place of an observation show it. */
export function describeValues(found: FoldedObservation, { totals }: SchemaContext): string {
  const { kind, at, member = '', calls } = found;
  const all = kind === 'missing' ? totals.values(at, ['object']) : totals.values(at);
  const counted =
    kind === 'null' ? totals.values(at, ['null']) : kind === 'missing' ? all - totals.members(at, member) : undefined;
  const wrong =
    found.keyword === 'type' && kind === 'rule' ? totals.values(at, [...found.shape.types.keys()]) : counted;
  const values = wrong === undefined ? '' : `${countOf(wrong, 'value', all)} in `;
  return `${values}${countOf(calls, 'call')} ${describeDays(found)}. Example: ${found.example.text}`;
}
