import { escapeRegExp } from './escape-regexp.js';
import { decodeLeniently } from './pointer.js';

/** How a parameter of a path is written, if it is not a plain segment or part of one. */
export interface PathRule {
  readonly name: string;
  readonly style?: string;
  readonly explode?: boolean;
  /** Whether its value is an object, or may be one, so that each part has a name of its own. */
  readonly hasNames?: boolean;
  /** Whether it takes one or more segments. */
  readonly isMulti?: boolean;
}

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
 * @param rules - the styles of parameters separate those of one segment; some take several segments.
 */
export function parseRouteTemplate(path: string, rules: readonly PathRule[] = []): TemplateSegment[] {
  const byName = new Map(rules.map((one) => [one.name, one]));
  return path
    .split('/')
    .slice(1)
    .map((text) => parseSegment(text, byName))
    .map((segment) =>
      segment.kind === 'parameter' && byName.get(segment.name)?.isMulti === true
        ? { kind: 'multi', name: segment.name }
        : segment,
    );
}

function parseSegment(segment: string, parameters: ReadonlyMap<string, PathRule>): TemplateSegment {
  const pieces = segment.split(/(\{[^{}]+\})/).filter((piece) => piece !== '');
  if (pieces.length === 0 || (pieces.length === 1 && !isParameter(pieces[0])))
    return { kind: 'literal', text: decodeLeniently(segment) };
  if (pieces.length === 1) return { kind: 'parameter', name: nameOf(segment) };
  const literals = pieces.filter((piece) => !isParameter(piece)).map(decodeLeniently);
  const sources = pieces.map((piece, index) => pieceSource(piece, pieces.slice(index + 1), parameters));
  return {
    kind: 'mixed',
    key: sources.join(''),
    names: pieces.filter(isParameter).map(nameOf),
    pattern: new RegExp(`^${sources.join('')}$`, 's'),
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
function pieceSource(piece: string, following: readonly string[], parameters: ReadonlyMap<string, PathRule>): string {
  if (!isParameter(piece)) return escapeRegExp(decodeLeniently(piece));
  const parameter = parameters.get(nameOf(piece));
  const isLast = !following.some(isParameter);
  if (parameter?.style === 'matrix') return matrixSource(parameter);
  if (parameter?.style === 'label' && !isLast) return parameter.explode === true ? LABELS : LABEL;
  return isLast ? '(.+)' : '(.+?)';
}

const LABEL = String.raw`(\.[^.]*)`;
const LABELS = String.raw`((?:\.[^.]*)+?)`;

/** `;lat=1`, or `;lat=1;lat=2` of a list and `;R=1;G=2` of an object, where each value has a name. */
function matrixSource({ name, explode = false, hasNames = false }: PathRule): string {
  if (!explode) return `(;${escapeRegExp(name)}(?:=[^;]*)?)`;
  return hasNames ? '((?:;[^;]*)+?)' : `((?:;${escapeRegExp(name)}(?:=[^;]*)?)+)`;
}
