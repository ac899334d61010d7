import { getOrInsert, remember } from '../model/maps.js';

/** A parsed path template. */
export interface PathTemplate {
  readonly path: string;
  readonly segments: readonly string[];
  /** `archive` in `/things/{id}:archive`; not part of the segments. */
  readonly verb?: string;
}

const PARAMETER = /^\{([^{}]+)\}$/;

/** `.json` at the end of a path names the format, not the resource. */
const EXTENSION = /\.(?:json|xml)$/;

/** Parses a template, once for each path. A verb counts only after a segment that is a parameter. */
export const parseTemplate: (path: string) => PathTemplate = remember(parse);

function parse(path: string): PathTemplate {
  const segments = path
    .replace(EXTENSION, '')
    .split('/')
    .filter((segment) => segment !== '')
    .flatMap(openKey);
  const last = /^(\{[^{}]+\}):([^{}/]+)$/.exec(segments.at(-1) ?? '');
  if (last?.[1] === undefined || last[2] === undefined) return { path, segments };
  return { path, segments: [...segments.slice(0, -1), last[1]], verb: last[2] };
}

/** The collection and the keys of an item in one segment, as in OData: `Products({ID})`, `Lines(Order={a},No='{b}')`. */
function openKey(segment: string): readonly string[] {
  const start = segment.indexOf('(');
  if (start <= 0 || !segment.endsWith(')') || segment.slice(0, start).includes('{')) return [segment];
  const keys = segment
    .slice(start + 1, -1)
    .split(',')
    .map((key) => /^(?:\w+=)?'?(\{[^{}]+\})'?$/.exec(key.trim())?.[1]);
  return keys.every((key) => key !== undefined) ? [segment.slice(0, start), ...keys] : [segment];
}

/** The name of the parameter if a segment is one. */
function parameterOf(segment: string | undefined): string | undefined {
  return PARAMETER.exec(segment ?? '')?.[1];
}

/** The parameters of a template, in order. */
export function parametersIn(segments: readonly string[]): string[] {
  return segments.flatMap((segment) => parameterOf(segment) ?? []);
}

/** A key that is equal for templates that only differ in parameter names. */
export function templateKey(segments: readonly string[]): string {
  return segments.map((segment) => `/${parameterOf(segment) === undefined ? segment : '{}'}`).join('');
}

/** The path of a template. */
export function joinSegments(segments: readonly string[]): string {
  return `/${segments.join('/')}`;
}

/** The number of parameters at the end of a template. */
export function countTrailingParameters(segments: readonly string[]): number {
  const lastLiteral = segments.findLastIndex((segment) => parameterOf(segment) === undefined);
  return segments.length - 1 - lastLiteral;
}

/** Whether a template has a segment that mixes text and parameters: such paths do not name items. */
export function hasMixedSegment(segments: readonly string[]): boolean {
  return segments.some((segment) => segment.includes('{') && parameterOf(segment) === undefined);
}

/** Fills the parameters of a template with a call's encoded values, so that the result names one collection. */
export function fillTemplate(path: string, values: readonly string[]): string {
  if (values.length === 0) return path;
  const literals = getOrInsert(literalCache, path, () => path.split(/\{[^{}]+\}/));
  return literals.reduce((filled, text, index) => filled + encodeURIComponent(values[index - 1] ?? '') + text);
}

/** The text between the parameters of a path. */
const literalCache = new Map<string, readonly string[]>();
const parameterCache = new Map<string, readonly string[]>();

/** The parameters of a path in order. A verb is not a parameter. */
export function parametersOf(path: string): readonly string[] {
  return getOrInsert(parameterCache, path, () => parametersIn(parseTemplate(path).segments));
}

/** The noun of a collection: `pets` for `/pets`. */
export function nounOf({ collectionPath }: { readonly collectionPath: string }): string {
  const segments = collectionPath.replace(EXTENSION, '').split('/');
  return segments.findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
}
