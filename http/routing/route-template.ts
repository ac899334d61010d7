import type { Parameter } from '../../model/api.js';
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
 * @param parameters - the parameters of the operation: their styles separate those of one segment, and those with
 *   `x-multi-segment`, as in GitHub's spec, take several segments.
 */
export function parseRouteTemplate(path: string, parameters: readonly Parameter[] = []): TemplateSegment[] {
  const byName = new Map(parameters.filter(({ in: place }) => place === 'path').map((one) => [one.name, one]));
  return path
    .split('/')
    .slice(1)
    .map((text) => parseSegment(text, byName))
    .map((segment) =>
      segment.kind === 'parameter' && byName.get(segment.name)?.extensions['x-multi-segment'] === true
        ? { kind: 'multi', name: segment.name }
        : segment,
    );
}

function parseSegment(segment: string, parameters: ReadonlyMap<string, Parameter>): TemplateSegment {
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
function pieceSource(piece: string, following: readonly string[], parameters: ReadonlyMap<string, Parameter>): string {
  if (!isParameter(piece)) return escapeRegExp(decodeLeniently(piece));
  const parameter = parameters.get(nameOf(piece));
  const isLast = !following.some(isParameter);
  if (parameter?.style === 'matrix') return matrixSource(parameter);
  if (parameter?.style === 'label' && !isLast) return parameter.explode ? LABELS : LABEL;
  return isLast ? '(.+)' : '(.+?)';
}

const LABEL = String.raw`(\.[^.]*)`;
const LABELS = String.raw`((?:\.[^.]*)+?)`;

/** `;lat=1`, or `;lat=1;lat=2` of a list and `;R=1;G=2` of an object, where each value has a name. */
function matrixSource(parameter: Parameter): string {
  if (!parameter.explode) return `(;${escapeRegExp(parameter.name)}(?:=[^;]*)?)`;
  const { schema } = parameter;
  const hasNames = typeof schema !== 'object' || schema.$ref !== undefined || schema.type === 'object';
  return hasNames ? '((?:;[^;]*)+?)' : `((?:;${escapeRegExp(parameter.name)}(?:=[^;]*)?)+)`;
}
