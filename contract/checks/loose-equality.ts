import { isRecord } from '../../model/document/records.js';

/**
 * Whether a response shows the value that was sent. Servers may change its form: trim text, write a time or an address
 * differently, reorder a list, or show an empty value for a missing one.
 */
export function isShownAs(sent: unknown, shown: unknown): boolean {
  if (Object.is(sent, shown)) return true;
  if (isEmpty(sent) && isEmpty(shown)) return !Array.isArray(sent) || Array.isArray(shown) || isNothing(shown);
  if (typeof sent === 'string' && typeof shown === 'string') return isSameText(sent, shown);
  if (typeof sent === 'number' && typeof shown === 'number') return isSameNumber(sent, shown);
  if (isScalar(sent) && isScalar(shown)) return String(sent) === String(shown);
  if (Array.isArray(sent) && Array.isArray(shown)) return isSameList(sent, shown);
  if (isRecord(sent) && isRecord(shown))
    return Object.entries(sent).every(([name, value]) => !Object.hasOwn(shown, name) || isShownAs(value, shown[name]));
  return false;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function isEmpty(value: unknown): boolean {
  return isNothing(value) || value === '' || (Array.isArray(value) && value.length === 0);
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isSameText(sent: string, shown: string): boolean {
  const [one, other] = [sent, shown].map((text) => text.normalize('NFC').trim());
  if (one === other || one?.toLowerCase() === other?.toLowerCase()) return true;
  if (/^\d{4}-\d\d-\d\d[T ]/i.test(sent)) return isSameMoment(sent, shown);
  return URL.canParse(sent) && URL.canParse(shown) && new URL(sent).href === new URL(shown).href;
}

/** Servers store times to the second or better. */
function isSameMoment(sent: string, shown: string): boolean {
  return Math.abs(Date.parse(sent) - Date.parse(shown)) < 1_000;
}

/** Amounts may be rounded to cents, and no number is more precise than a double. */
function isSameNumber(sent: number, shown: number): boolean {
  if (Number.isInteger(sent) && Number.isSafeInteger(sent)) return sent === shown;
  return Math.abs(sent - shown) <= Math.max(0.005, Math.abs(sent) * 1e-6);
}

/** A set may be reordered and lose duplicates. */
function isSameList(sent: readonly unknown[], shown: readonly unknown[]): boolean {
  const isUnique = new Set(sent.map((item) => JSON.stringify(item))).size === sent.length;
  if (sent.length !== shown.length && (isUnique || shown.length > sent.length)) return false;
  // A server may change the objects of a list.
  if (sent.some((item) => isRecord(item))) return true;
  return sent.every((item) => shown.some((own) => isShownAs(item, own)));
}
