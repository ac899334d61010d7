import type { Api } from '../../model/api.js';
import { parseMediaType, type ParsedMediaType } from '../media-type.js';

/** A range of an `Accept` header. */
interface AcceptRange {
  readonly parsed: ParsedMediaType;
  readonly quality: number;
}

/** How much a client wants a media type: 0 not at all, at most 1. With an alias of it, whichever is wanted more. */
export type WantMediaType = (mediaType: ParsedMediaType, alias?: ParsedMediaType) => number;

const kept = new Map<string, WantMediaType>();
/** Clients send few different ones, attackers many. */
const MAX_KEPT = 500;

/** Reads an `Accept` header. Without one, and where nothing in it can be read, all is wanted alike. */
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

/** `application/vnd.acme.v3+json` and `application/vnd.acme.v3.raw` name versions and formats of `application/vnd.acme+json`. */
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
  if (range.essence === given.essence) return EXACT;
  if (range.type === given.type && range.subtype === '*') return 2;
  // A documented range, such as `image/*`, is whatever of it the client wants.
  if (given.type === range.type && given.subtype === '*') return 2;
  return range.type === '*' || given.type === '*' ? 1 : 0;
}

/** The media types of an `Accept` header, the most wanted first, without parameters, as Prism's negotiator takes them. */
export function acceptedMediaTypes(header: string | undefined): string[] | undefined {
  if (header === undefined) return undefined;
  const ranges = acceptRanges(header)
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  if (ranges.length === 0 || ranges[0]?.parsed.essence === '*/*') return undefined;
  return ranges.map(({ parsed }) => parsed.essence);
}

/** The media type that callers of an API send in `Accept`, although its answers are plain JSON: its extension `x-accept`. */
export function readAlias({ extensions }: Api): ParsedMediaType | undefined {
  const alias = extensions['x-accept'];
  return typeof alias === 'string' ? parseMediaType(alias) : undefined;
}
