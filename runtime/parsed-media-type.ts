import { type MediaKind, mediaKind } from './media-type.js';
import { headerParameters } from './header-parameters.js';

/** A media type in lower case, except for the values of its parameters. */
export interface ParsedMediaType {
  /** Such as `application/json`, without parameters. */
  readonly essence: string;
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const WHOLE_TOKEN = /* @__PURE__ */ new RegExp(`^${TOKEN}$`);
const ESSENCE = /* @__PURE__ */ new RegExp(`^\\s*(${TOKEN})/(${TOKEN})\\s*(?:;|$)`);

const kept = new Map<string, ParsedMediaType | undefined>();
/** The limits of the cache. Apart from boundaries, clients send few different values, but attackers send many. */
const MAX_KEPT = 500;
const MAX_KEPT_LENGTH = 200;

/** Reads a `Content-Type`; `undefined` if it is malformed. */
export function parseMediaType(text: string): ParsedMediaType | undefined {
  const known = kept.get(text);
  if (known !== undefined || kept.has(text)) return known;
  const parsed = readMediaType(text);
  if (text.length > MAX_KEPT_LENGTH) return parsed;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(text, parsed);
  return parsed;
}

function readMediaType(text: string): ParsedMediaType | undefined {
  const [, type, subtype] = ESSENCE.exec(text)?.map((part) => part.toLowerCase()) ?? [];
  if (type === undefined || subtype === undefined) return undefined;
  const parameters = new Map(headerParameters(text).map(({ name, value }) => [name, value.replace(/\\(.)/g, '$1')]));
  return { essence: `${type}/${subtype}`, type, subtype, parameters };
}

/** Parameters that say how a message is written, not what it is, and the quality in `Accept`. */
const UNDECIDING: ReadonlySet<string> = new Set(['charset', 'boundary', 'q']);

/**
 * Returns how well a media type or range fits a given one: 0 for not at all, higher is better. Parameters such as
 * `version=2` must not have another value in the given one, and count if it has them.
 */
function fitOf(range: ParsedMediaType, given: ParsedMediaType): number {
  if (range.essence !== given.essence)
    return range.type === given.type && range.subtype === '*' ? 2 : range.type === '*' ? 1 : 0;
  if (range.parameters.size === 0) return EXACT;
  const deciding = [...range.parameters].filter(([name]) => !UNDECIDING.has(name));
  const shared = deciding.filter(([name]) => given.parameters.has(name));
  if (shared.some(([name, value]) => given.parameters.get(name)?.toLowerCase() !== value.toLowerCase())) return 0;
  return shared.length === deciding.length ? EXACT + shared.length : EXACT - 1;
}

/** The fit of equal media types. */
const EXACT = 4;

/** Returns how a body of a media type is encoded. */
export function kindOf({ essence }: Pick<ParsedMediaType, 'essence'>): MediaKind {
  return mediaKind(essence);
}

/** Whether a body of this kind is text that a person can read. */
export function isTextKind(kind: MediaKind): boolean {
  return kind !== 'binary' && kind !== 'any' && kind !== 'multipart';
}

/** Returns the most specific documented media type for a given one (OpenAPI 3.1, Response Object). */
export function findMediaType<Entry extends { readonly parsed: ParsedMediaType }>(
  documented: readonly Entry[],
  given: ParsedMediaType,
): Entry | undefined {
  let best: Entry | undefined;
  let bestFit = 0;
  for (const entry of documented) {
    const fit = fitOf(entry.parsed, given);
    if (fit > bestFit) [best, bestFit] = [entry, fit];
  }
  return best;
}

/** Whether a text can be the name of a header, a method or a part of a media type (RFC 9110, section 5.6.2). */
export function isToken(text: string): boolean {
  return WHOLE_TOKEN.test(text);
}

/** A range of an `Accept` header. */
interface AcceptRange {
  readonly parsed: ParsedMediaType;
  readonly quality: number;
}

/**
 * Returns the quality that a client gives a media type: from 0 (refused) to 1.
 *
 * @param isSame - whether a range means exactly this media type, by another name.
 */
export type WantMediaType = (mediaType: ParsedMediaType, isSame?: (range: ParsedMediaType) => boolean) => number;

const keptWants = new Map<string, WantMediaType>();

/** Reads an `Accept` header. If it is missing or unreadable, everything is wanted equally. */
export function readAccept(header = ''): WantMediaType {
  let want = keptWants.get(header);
  if (want === undefined) {
    want = createWant(acceptRanges(header));
    if (keptWants.size >= MAX_KEPT) keptWants.clear();
    keptWants.set(header, want);
  }
  return want;
}

function createWant(ranges: readonly AcceptRange[]): WantMediaType {
  return (given, isSame) => {
    let best = 0;
    let wanted = ranges.length === 0 ? 1 : 0;
    for (const { parsed, quality } of ranges) {
      // A documented range, such as `image/*`, matches any type within it.
      const fit = isSame?.(parsed)
        ? EXACT
        : Math.max(fitOf(parsed, given), given.subtype === '*' ? fitOf(given, parsed) : 0);
      if (fit > best) [best, wanted] = [fit, quality];
    }
    return wanted;
  };
}

function acceptRanges(header: string): AcceptRange[] {
  return header
    .split(',')
    .slice(0, 64)
    .flatMap((text) => {
      const parsed = parseMediaType(text.trim() === '*' ? '*/*' : text);
      if (parsed === undefined) return [];
      const quality = Number(parsed.parameters.get('q') ?? 1);
      return [{ parsed, quality: quality >= 0 ? Math.min(quality, 1) : quality < 0 ? 0 : 1 }];
    });
}
