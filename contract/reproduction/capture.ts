import { isId } from '../../resources/extract-id.js';
import { isRecord } from '../../model/document/records.js';
import { appendPointer, resolvePointer } from '../../model/document/pointer.js';
import { scalarText } from '../execute/http/serialize-parameter.js';
import type { Exchange } from '../types.js';

/** Where a response shows a value that a later request takes. `base`: it is an address, relative to this one. */
export type Source = (
  | {
      readonly in: 'body';
      readonly pointer: string;
      /** Of a name with its collection before it, such as `files/abc`, the part after the last slash. */ readonly isLast: boolean;
    }
  /** `fromEnd`: of a path, the segment so far from its end, from 1 on; absent: the whole value. */
  | { readonly in: 'header'; readonly name: string; readonly fromEnd?: number }
) & { readonly base?: string };

/** The same for the same place of a response. */
export function nameOfSource(source: Source): string {
  return JSON.stringify(source);
}

/** The value at a place of a response. */
export function readSource(source: Source, exchange: Exchange): string | number | undefined {
  const value = readShown(source, exchange);
  if (source.base === undefined || typeof value !== 'string') return value;
  return URL.canParse(value, source.base) ? new URL(value, source.base).href : undefined;
}

function readShown(source: Source, { headers, json }: Exchange): string | number | undefined {
  if (source.in === 'header') {
    const value = headers.get(source.name) ?? undefined;
    if (value === undefined || source.fromEnd === undefined) return value;
    return decode(value.split(/[?#]/, 1)[0]?.split('/').at(-source.fromEnd) ?? '');
  }
  const value = resolvePointer(json, source.pointer);
  if (typeof value === 'string') return source.isLast ? value.split('/').at(-1) : value;
  return typeof value === 'number' ? value : undefined;
}

/** Where a response shows an address, in one of some headers or in its body. */
export function findAddress(target: string, exchange: Exchange, headers: readonly string[]): Source | undefined {
  const { url } = exchange.request;
  const [own = ''] = url.split(/[?#]/, 1);
  const meansIt = (text: string): boolean => URL.canParse(text, url) && new URL(text, url).href === target;
  // A query alone replaces that of the address itself.
  const relative = (text: string): { readonly base?: string } => (URL.canParse(text) ? {} : { base: own });
  for (const name of headers) {
    const text = exchange.headers.get(name);
    if (text !== null && meansIt(text)) return { in: 'header', name, ...relative(text) };
  }
  const shown = scalarsOf(exchange.json).find(({ own: text }) => /[/?]/.test(text) && meansIt(text));
  if (shown === undefined) return undefined;
  return { in: 'body', pointer: shown.pointer, isLast: false, ...relative(shown.own) };
}

/** Where a response shows an id: in a member, the likeliest first, or in the path of its `Location`. */
export function findSource(value: unknown, exchange: Exchange): Source | undefined {
  const text = scalarText(value);
  if (text === '' || !isMentioned(text, exchange)) return undefined;
  const found = scalarsOf(exchange.json).filter(({ own }) => own === text || own.endsWith(`/${text}`));
  const [best] = found.sort((one, other) => rank(one, text) - rank(other, text));
  if (best !== undefined) return { in: 'body', pointer: best.pointer, isLast: best.own !== text };
  const segments = (exchange.headers.get('location') ?? '').split(/[?#]/, 1)[0]?.split('/') ?? [];
  const place = segments.map(decode).lastIndexOf(text);
  return place === -1 ? undefined : { in: 'header', name: 'location', fromEnd: segments.length - place };
}

/** Looked at first, since most responses do not have it. */
function isMentioned(text: string, { text: body, headers }: Exchange): boolean {
  const asJson = JSON.stringify(text).slice(1, -1);
  return body.includes(text) || body.includes(asJson) || decode(headers.get('location') ?? '').includes(text);
}

interface Scalar {
  readonly pointer: string;
  readonly name: string;
  readonly own: string;
  readonly depth: number;
}

/** So many members of a response are looked at. */
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

/** Exact before the end of a name, names of ids before others, the outermost first. */
function rank({ name, own, depth }: Scalar, text: string): number {
  const isId = /(?:id|key|name|guid)$/i.test(name);
  return (own === text ? 0 : 1_000) + (isId ? 0 : 100) + depth;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
