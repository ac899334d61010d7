import { kindOf, parseMediaType } from '../../http/media-type.js';

/** The greatest depth that is compared; deeper values all have the same shape. */
const DEEPEST = 100;

/**
 * Returns the shape of a body, which does not depend on its values: the media type, and for JSON the names and types of
 * members, for a form the names of fields. An empty body has an empty shape.
 */
export function shapeOf(text: string, contentType: string): string {
  if (text === '') return '';
  const parsed = parseMediaType(contentType);
  const essence = parsed?.essence ?? '';
  const kind = parsed === undefined ? 'json' : kindOf(parsed);
  if (kind === 'json') return `json ${shapeOfJson(text)}`;
  if (essence !== 'application/x-www-form-urlencoded') return essence;
  return `form ${[...new Set(new URLSearchParams(text).keys())]
    .sort()
    .map((name) => JSON.stringify(name))
    .join()}`;
}

function shapeOfJson(text: string): string {
  try {
    return shapeOfValue(JSON.parse(text), 0);
  } catch {
    return '?';
  }
}

function shapeOfValue(value: unknown, depth: number): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth > DEEPEST) return '...';
  if (Array.isArray(value))
    return `[${[...new Set(value.map((item: unknown) => shapeOfValue(item, depth + 1)))].sort().join('|')}]`;
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}:${shapeOfValue(one, depth + 1)}`);
  return `{${members.sort().join()}}`;
}
