import { type ParsedMediaType, parseMediaType, sharedParameters } from './parsed-media-type.js';

/** A range of an `Accept` header. */
interface AcceptRange {
  readonly parsed: ParsedMediaType;
  readonly quality: number;
}

/** Returns how much a client wants a media type or its alias, whichever it wants more: from 0 (not at all) to 1. */
export type WantMediaType = (mediaType: ParsedMediaType, alias?: ParsedMediaType) => number;

const kept = new Map<string, WantMediaType>();
/** The most cached headers. Clients send few different ones, attackers many. */
const MAX_KEPT = 500;

/** Reads an `Accept` header. If it is missing or unreadable, everything is wanted equally. */
export function readAccept(header: string | undefined): WantMediaType {
  if (header === undefined || header === '' || header === '*/*') return wantAll;
  const known = kept.get(header);
  if (known !== undefined) return known;
  const want = createWant(header);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(header, want);
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
