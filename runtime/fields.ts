import { ParseBudget, FIELD, MEMBER } from './parse-budget.js';
import { DecodeError, withinBudget } from './decode-error.js';
import { decodeLeniently } from './pointer.js';

/** The named values of a query, form or cookie header, in order. Names are decoded, values are raw. */
export type Fields = ReadonlyMap<string, readonly string[]>;

export const NO_FIELDS: Fields = new Map();

/** Reads `a=1&b=2`. @throws DecodeError if it has too many fields for its length */
export function parseFields(text: string): Fields {
  if (text === '') return NO_FIELDS;
  return withinBudget(() =>
    collect(
      text.split('&').filter((piece) => piece !== ''),
      (name) => decodeLeniently(name.replaceAll('+', ' ')),
      new ParseBudget(text.length, [FIELD, MEMBER]),
    ),
  );
}

/** Reads a `Cookie` header. Removes quotes around a value (RFC 6265). */
export function parseCookies(header: string): Fields {
  const pieces = header.split(';').map((piece) => piece.trim().replace(/^([^=]*)="(.*)"$/s, '$1=$2'));
  return withinBudget(() =>
    collect(
      pieces.filter((piece) => piece !== ''),
      (name) => name,
      new ParseBudget(header.length, [FIELD, MEMBER]),
    ),
  );
}

function collect(pieces: readonly string[], readName: (name: string) => string, budget: ParseBudget): Fields {
  const fields = new Map<string, string[]>();
  for (const piece of pieces) {
    budget.spend(FIELD.cost);
    const mark = piece.indexOf('=');
    const name = readName(mark === -1 ? piece : piece.slice(0, mark));
    const value = mark === -1 ? '' : piece.slice(mark + 1);
    const known = fields.get(name);
    if (known === undefined) {
      budget.spendMember(fields.size);
      fields.set(name, [value]);
    } else known.push(value);
  }
  return fields;
}

/** Turns a raw value into text. */
export type DecodeText = (raw: string) => string;

/** Decodes a value of a query or form, where `+` is a space. @throws DecodeError */
export const decodeFormText: DecodeText = (raw) => decodePercent(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);

/** Decodes a value of a path, where `+` is itself. @throws DecodeError */
export const decodePercent: DecodeText = (raw) => {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new DecodeError('must be percent-encoded UTF-8');
  }
};

/** Keeps a value of a header, which is never encoded. */
export const keepText: DecodeText = (raw) => raw;
