import { isId, lastPartOf } from '../../resources/extract-id.js';
import { isRecord } from '../../model/document/records.js';
import { appendPointer, decodeLeniently, resolvePointer } from '../../model/document/pointer.js';
import { scalarText } from '../../http/request/write-request.js';
import { linkTo } from '../expectations/next-link.js';
import type { Exchange } from '../types.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/**
 * Location of a captured value in a response. `base`: the URL against which a relative value is
 * resolved.
 */
export type Source = (
  | {
      readonly in: 'body';
      readonly pointer: string;
      /** Whether to take the part after the last slash of a resource name such as `files/abc`. */
      readonly isLast: boolean;
    }
  /** The number of items in a list. */
  | { readonly in: 'count'; readonly pointer: string }
  /**
   * `fromEnd`: takes the n-th path segment from the end, counted from 1. `relation`: takes the URL of the link with this
   * relation (RFC 8288). Without them, the whole value.
   */
  | { readonly in: 'header'; readonly name: string; readonly fromEnd?: number; readonly relation?: string }
) & { readonly base?: string };

/** A key that is equal for the same place in a response. */
export function nameOfSource(source: Source): string {
  return stringifyExactJson(source);
}

/** Reads the value at a place in a response. */
export function readSource(source: Source, exchange: Exchange): string | number | undefined {
  const value = readShown(source, exchange);
  if (source.base === undefined || typeof value !== 'string') return value;
  return URL.canParse(value, source.base) ? new URL(value, source.base).href : undefined;
}

function readShown(source: Source, exchange: Exchange): string | number | undefined {
  const { headers, json } = exchange;
  if (source.in === 'header') {
    if (source.relation !== undefined) return linkTo(exchange, source.relation)?.href;
    const value = headers.get(source.name) ?? undefined;
    if (value === undefined || source.fromEnd === undefined) return value;
    return decodeLeniently(value.split(/[?#]/, 1)[0]?.split('/').at(-source.fromEnd) ?? '');
  }
  const value = resolvePointer(json, source.pointer);
  if (source.in === 'count') return Array.isArray(value) ? value.length : undefined;
  if (typeof value === 'string') return source.isLast ? lastPartOf(value) : value;
  // An integer beyond the precision of a double is identified by its digits, as ids are.
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? value : undefined;
}

/** The relations of links between pages. */
const RELATIONS = ['next', 'last', 'prev', 'first'];

/** Finds a URL in some headers or the body of a response. */
export function findAddress(target: string, exchange: Exchange, headers: readonly string[]): Source | undefined {
  const { url } = exchange.request;
  const [own = ''] = url.split(/[?#]/, 1);
  const meansIt = (text: string): boolean => URL.canParse(text, url) && new URL(text, url).href === target;
  // A relative URL is resolved against the request's URL without its query.
  const relative = (text: string): { readonly base?: string } => (URL.canParse(text) ? {} : { base: own });
  for (const name of headers) {
    const text = exchange.headers.get(name);
    if (text !== null && meansIt(text)) return { in: 'header', name, ...relative(text) };
  }
  const relation = RELATIONS.find((one) => linkTo(exchange, one)?.href === target);
  if (relation !== undefined) return { in: 'header', name: 'link', relation, base: own };
  const shown = scalarsOf(exchange.json).find(({ own: text }) => /[/?]/.test(text) && meansIt(text));
  if (shown === undefined) return undefined;
  return { in: 'body', pointer: shown.pointer, isLast: false, ...relative(shown.own) };
}

/** Finds a name that ends a URL, such as `operations/7`, in the body of a response. */
export function findResourceName(target: string, { json }: Exchange): Source | undefined {
  const named = scalarsOf(json).find(({ own: name }) => isResourceName(name) && target.endsWith(`/${name}`));
  if (named === undefined) return undefined;
  return { in: 'body', pointer: named.pointer, isLast: false, base: target.slice(0, -named.own.length) };
}

/** Whether a text can be a name that ends the URL of its item, such as `operations/7`. */
export function isResourceName(text: string): boolean {
  return /^[\w.-]+(?:\/[\w.-]+)+$/.test(text);
}

/** Finds an id in a response: in a member, the likeliest first, or in the path of its `Location`. */
export function findSource(value: unknown, exchange: Exchange): Source | undefined {
  const text = scalarText(value);
  if (text === '' || !isMentioned(text, exchange)) return undefined;
  const found = scalarsOf(exchange.json).filter(({ own }) => own === text || own.endsWith(`/${text}`));
  const [best] = found.sort((one, other) => rank(one, text) - rank(other, text));
  if (best !== undefined) return { in: 'body', pointer: best.pointer, isLast: best.own !== text };
  const segments = (exchange.headers.get('location') ?? '').split(/[?#]/, 1)[0]?.split('/') ?? [];
  const place = segments.map(decodeLeniently).lastIndexOf(text);
  return place === -1 ? undefined : { in: 'header', name: 'location', fromEnd: segments.length - place };
}

/** A cheap test that rules out most responses. */
function isMentioned(text: string, { text: body, headers }: Exchange): boolean {
  const asJson = stringifyExactJson(text).slice(1, -1);
  return body.includes(text) || body.includes(asJson) || decodeLeniently(headers.get('location') ?? '').includes(text);
}

interface Scalar {
  readonly pointer: string;
  readonly name: string;
  readonly own: string;
  readonly depth: number;
}

/** The most members of a response that are examined. */
const MAX_SCALARS = 5_000;

function scalarsOf(json: unknown): Scalar[] {
  const scalars: Scalar[] = [];
  const open = [{ value: json, pointer: '', name: '', depth: 0 }];
  while (open.length > 0 && scalars.length < MAX_SCALARS) {
    const next = open.shift();
    if (next === undefined) break;
    const { value, pointer, name, depth } = next;
    if (isId(value)) scalars.push({ pointer, name, own: scalarText(value), depth });
    const entries = Array.isArray(value)
      ? value.map((item: unknown, index): [string, unknown] => [String(index), item])
      : isRecord(value)
        ? Object.entries(value)
        : [];
    for (const [key, member] of entries)
      open.push({
        value: member,
        pointer: appendPointer(pointer, key),
        name: Array.isArray(value) ? name : key,
        depth: depth + 1,
      });
  }
  return scalars;
}

/**
 * Ranks exact values before endings of names, then names of ids before others, then outer before inner.
 * The map says nothing here: the value was sent, and any response may show it, also one of another kind of item.
 */
function rank({ name, own, depth }: Scalar, text: string): number {
  const isId = /(?:id|key|name|guid)$/i.test(name);
  return (own === text ? 0 : 1_000) + (isId ? 0 : 100) + depth;
}
