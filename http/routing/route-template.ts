import { decodeLeniently } from '../../model/document/pointer.js';
import { escapeRegExp } from '../../model/glob.js';

/** One segment of a path template. */
export type TemplateSegment =
  | { readonly kind: 'literal'; readonly text: string }
  /** A whole segment that is one parameter. */
  | { readonly kind: 'parameter'; readonly name: string }
  /** A parameter that takes one or more segments: `{path}` with `x-multi-segment`. */
  | { readonly kind: 'multi'; readonly name: string }
  /** A segment of text and parameters: `{model}:generate`, `{name}.{format}`. */
  | {
      readonly kind: 'mixed';
      readonly key: string;
      readonly names: readonly string[];
      readonly pattern: RegExp;
      readonly weight: number;
      /** Whether it ends with a colon and a verb that is not part of the id, such as `{model}:generate`. */
      readonly isVerb: boolean;
    };

/**
 * Parses a path template such as `/models/{model}:generate`. Literals are decoded, like the segments of requests.
 *
 * @param multi - names of the parameters that take several segments.
 */
export function parseRouteTemplate(path: string, multi: ReadonlySet<string> = NONE): TemplateSegment[] {
  const segments = path.split('/').slice(1).map(parseSegment);
  if (multi.size === 0) return segments;
  return segments.map((segment) =>
    segment.kind === 'parameter' && multi.has(segment.name) ? { kind: 'multi', name: segment.name } : segment,
  );
}

const NONE: ReadonlySet<string> = new Set();

function parseSegment(segment: string): TemplateSegment {
  const pieces = segment.split(/(\{[^{}]+\})/).filter((piece) => piece !== '');
  if (pieces.length === 0 || (pieces.length === 1 && !isParameter(pieces[0])))
    return { kind: 'literal', text: decodeLeniently(segment) };
  if (pieces.length === 1) return { kind: 'parameter', name: nameOf(segment) };
  const literals = pieces.filter((piece) => !isParameter(piece)).map(decodeLeniently);
  return {
    kind: 'mixed',
    key: pieces.map((piece) => (isParameter(piece) ? '{}' : piece)).join(''),
    names: pieces.filter(isParameter).map(nameOf),
    pattern: new RegExp(`^${pieces.map(pieceSource).join('')}$`, 's'),
    weight: literals.join('').length,
    isVerb: /^:[^{}]+$/.test(pieces.at(-1) ?? ''),
  };
}

function isParameter(piece: string | undefined): boolean {
  return piece?.startsWith('{') === true && piece.endsWith('}');
}

function nameOf(piece: string): string {
  return piece.slice(1, -1);
}

/** Makes a pattern. The last parameter is greedy: in `{model}:generate`, the model may contain a colon. */
function pieceSource(piece: string, index: number, pieces: readonly string[]): string {
  if (!isParameter(piece)) return escapeRegExp(decodeLeniently(piece));
  return pieces.slice(index + 1).some(isParameter) ? '(.+?)' : '(.+)';
}
