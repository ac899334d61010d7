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
const WHOLE_TOKEN = new RegExp(`^${TOKEN}$`);
const ESSENCE = new RegExp(`^\\s*(${TOKEN})/(${TOKEN})\\s*(?:;|$)`);

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
  const [, type, subtype] = ESSENCE.exec(text) ?? [];
  if (type === undefined || subtype === undefined) return undefined;
  const parameters = new Map(headerParameters(text).map(({ name, value }) => [name, value.replace(/\\(.)/g, '$1')]));
  return {
    essence: `${type}/${subtype}`.toLowerCase(),
    type: type.toLowerCase(),
    subtype: subtype.toLowerCase(),
    parameters,
  };
}

/** Parameters that say how a message is written, not what it is, and the quality in `Accept`. */
const UNDECIDING: ReadonlySet<string> = new Set(['charset', 'boundary', 'q']);

/**
 * Counts the parameters that two media types share, such as `version=2`; `undefined` if one has another value in the
 * other.
 */
export function sharedParameters(one: ParsedMediaType, other: ParsedMediaType): number | undefined {
  let shared = 0;
  for (const [name, value] of one.parameters) {
    const given = UNDECIDING.has(name) ? undefined : other.parameters.get(name);
    if (given === undefined) continue;
    if (given.toLowerCase() !== value.toLowerCase()) return undefined;
    shared += 1;
  }
  return shared;
}

/** Returns how well a documented media type or range fits a given one: 0 for not at all, higher is better. */
function fitOf(documented: ParsedMediaType, given: ParsedMediaType): number {
  if (documented.essence === given.essence) {
    if (documented.parameters.size === 0) return 4;
    const shared = sharedParameters(documented, given);
    if (shared === undefined) return 0;
    const wanted = [...documented.parameters.keys()].filter((name) => !UNDECIDING.has(name));
    return shared === wanted.length ? 4 + shared : 3;
  }
  if (documented.type === given.type && documented.subtype === '*') return 2;
  return documented.type === '*' ? 1 : 0;
}

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

/** Returns how much a client wants a media type or its alias, the larger of the two: from 0 (not at all) to 1. */
export type WantMediaType = (mediaType: ParsedMediaType, alias?: ParsedMediaType) => number;

const keptWants = new Map<string, WantMediaType>();

/** Reads an `Accept` header. If it is missing or unreadable, everything is wanted equally. */
export function readAccept(header: string | undefined): WantMediaType {
  if (header === undefined || header === '' || header === '*/*') return wantAll;
  const known = keptWants.get(header);
  if (known !== undefined) return known;
  const want = createWant(header);
  if (keptWants.size >= MAX_KEPT) keptWants.clear();
  keptWants.set(header, want);
  return want;
}

function wantAll(): number {
  return 1;
}

function createWant(header: string): WantMediaType {
  const ranges = acceptRanges(header);
  if (ranges.length === 0) return wantAll;
  return (given, alias) => {
    let best = { specificity: 0, quality: 0 };
    for (const { parsed, quality } of ranges) {
      const isAlias = alias !== undefined && isOfFamily(parsed, alias);
      const specificity = isAlias ? EXACT : specificityOf(parsed, given);
      if (specificity > best.specificity) best = { specificity, quality };
    }
    return best.quality;
  };
}

/** Whether a media type is a version or format of an alias: `application/vnd.x.v3.raw` of `application/vnd.x+json`. */
function isOfFamily({ essence }: ParsedMediaType, alias: ParsedMediaType): boolean {
  const [name = ''] = alias.essence.split('+', 1);
  return essence === alias.essence || essence.startsWith(`${name}.`);
}

function acceptRanges(header: string): AcceptRange[] {
  return header
    .split(',')
    .slice(0, 64)
    .flatMap((text) => {
      const parsed = parseMediaType(text.trim() === '*' ? '*/*' : text);
      if (parsed === undefined) return [];
      const quality = Number(parsed.parameters.get('q') ?? 1);
      return [{ parsed, quality: Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 1 }];
    });
}

const EXACT = 3;

function specificityOf(range: ParsedMediaType, given: ParsedMediaType): number {
  if (range.essence === given.essence) {
    const shared = sharedParameters(range, given);
    return shared === undefined ? 0 : EXACT + shared;
  }
  if (range.type === given.type && range.subtype === '*') return 2;
  // A documented range, such as `image/*`, matches any type within it.
  if (given.type === range.type && given.subtype === '*') return 2;
  return range.type === '*' || given.type === '*' ? 1 : 0;
}
