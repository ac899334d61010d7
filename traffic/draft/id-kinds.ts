/** A kind of texts that name one item, not a part of an API. */
export type IdKind =
  | 'number'
  | 'UUID'
  | 'ULID'
  | 'hexadecimal number'
  | 'prefixed id'
  | 'date'
  | 'email'
  | 'random text';

const KINDS: readonly (readonly [kind: IdKind, pattern: RegExp])[] = [
  ['number', /^\d+$/],
  ['UUID', /^\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?$/i],
  ['date', /^\d{4}-\d\d-\d\d(?:T[\d:.+Z-]{4,30})?$/],
  ['ULID', /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
  ['hexadecimal number', /^(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,}$/i],
  ['email', /^[^@\s]{1,64}@[^@\s]{1,255}$/],
];

/** Returns why a segment of a path names an item; `undefined` if it may be a word of the API. */
export function idKindOf(segment: string): IdKind | undefined {
  if (segment === 'REDACTED') return 'random text';
  const found = KINDS.find(([, pattern]) => pattern.test(segment))?.[0];
  if (found !== undefined) return found;
  const [, rest] = /^[A-Za-z]{1,12}[_-]([A-Za-z0-9]{6,})$/.exec(segment) ?? [];
  if (rest !== undefined && isRandom(rest)) return 'prefixed id';
  return /^[A-Za-z0-9_=-]{16,}$/.test(segment) && isRandom(segment) ? 'random text' : undefined;
}

/** Whether a text is no word: it has digits, and letters on both sides of one or of both cases. */
function isRandom(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  if (digits === text.length) return true;
  if (digits === 0) return false;
  return /\d[A-Za-z]/.test(text) || (digits >= 3 && text.length >= 16) || (/[a-z]/.test(text) && /[A-Z]/.test(text));
}
