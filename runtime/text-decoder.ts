import { coerceText } from './coerce-text.js';
import type { DecodeText } from './fields.js';
import { setMember } from './json-integers.js';
import type { DecodeHints } from './text-shape.js';

/** How a value is written as text; `tabDelimited` is of OpenAPI 2.0, `cookie` of OpenAPI 3.2. */
export type ValueStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'cookie'
  | 'tabDelimited';

/** How a value is written in a path segment or a header. */
export interface TextRule {
  readonly name: string;
  readonly style: ValueStyle;
  readonly explode: boolean;
  readonly shape: DecodeHints;
  readonly decode: DecodeText;
}

const AS_WRITTEN = { anyCase: false } as const;

/** Reads a value in the style `simple`, `label` or `matrix`. @throws DecodeError */
export function decodeText(rule: TextRule, raw: string): unknown {
  const { style, name } = rule;
  if (style === 'label') return readText(rule, raw.replace(/^\./, ''), rule.explode ? '.' : ',');
  if (style !== 'matrix') return readText(rule, raw, ',');
  const bare = raw.replace(/^;/, '');
  if (!rule.explode) return readText(rule, withoutName(bare, name), ',');
  if (rule.shape.types.has('object')) return readText(rule, bare, ';');
  return readText(
    rule,
    bare
      .split(';')
      .map((piece) => withoutName(piece, name))
      .join(';'),
    ';',
  );
}

function withoutName(piece: string, name: string): string {
  if (piece === name) return '';
  return piece.startsWith(`${name}=`) ? piece.slice(name.length + 1) : piece;
}

function readText({ shape, explode, decode }: TextRule, raw: string, delimiter: string): unknown {
  if (shape.types.has('array')) {
    if (raw === '') return [];
    return raw.split(delimiter).map((piece, index) => coerceText(decode(piece.trim()), shape.item(index), AS_WRITTEN));
  }
  if (!shape.types.has('object')) return coerceText(decode(raw), shape, AS_WRITTEN);
  const pieces = raw.split(delimiter);
  const pairs = explode ? pieces.map(splitPair) : pairUp(pieces);
  if (pairs === undefined) return coerceText(decode(raw), shape, AS_WRITTEN);
  const out: Record<string, unknown> = {};
  for (const [name, text] of pairs)
    setMember(out, decode(name), coerceText(decode(text), shape.member(decode(name)), AS_WRITTEN));
  return out;
}

function splitPair(piece: string): readonly [string, string] {
  const mark = piece.indexOf('=');
  return mark === -1 ? [piece.trim(), ''] : [piece.slice(0, mark).trim(), piece.slice(mark + 1).trim()];
}

function pairUp(pieces: readonly string[]): (readonly [string, string])[] | undefined {
  if (pieces.length % 2 === 1) return undefined;
  return pieces.flatMap((piece, index) =>
    index % 2 === 0 ? [[piece.trim(), (pieces[index + 1] ?? '').trim()] as const] : [],
  );
}
