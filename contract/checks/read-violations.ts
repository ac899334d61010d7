import { isRecord } from '../../model/document/records.js';
import { toPointer } from '../../model/document/pointer.js';

/** A place in a request that a refusal names. */
export interface NamedViolation {
  /** JSON pointer into the body, or the name of a parameter after a slash. */
  readonly pointer: string;
  readonly message: string;
}

/** Members that contain the errors: in the body, or in its `error`, `errors` or `detail`. */
const LISTS = [
  'violations',
  'errors',
  'issues',
  'detail',
  'details',
  'validation',
  'invalid-params',
  'invalidParams',
  'fieldErrors',
  'fieldViolations',
  'message',
];
const WRAPPERS = ['error', 'errors', 'detail', 'details'];
/**
 * The members of an error that name its place, in RFC 9457, JSON:API, zod, Joi, FastAPI, ajv, express-validator, Spring
 * and Google APIs.
 */
const PLACES = [
  'pointer',
  'instancePath',
  'dataPath',
  'loc',
  'path',
  'param',
  'parameter',
  'field',
  'property',
  'propertyPath',
  'name',
];
const MESSAGES = ['message', 'msg', 'detail', 'reason', 'description', 'defaultMessage', 'title'];
/** Names of request parts that some error places start with. */
const PARTS: ReadonlySet<string> = new Set([
  'body',
  'query',
  'querystring',
  'path',
  'params',
  'headers',
  'header',
  'cookie',
  'cookies',
  'requestBody',
]);
const MOST = 50;

/** Returns the places that a refusal names, in any error format. Errors without a place are left out. */
export function readViolations(json: unknown): readonly NamedViolation[] {
  const outer = isRecord(json) ? WRAPPERS.map((name) => json[name]).filter(isRecord) : [];
  const found = [json, ...outer].flatMap((value) => [...readLists(value), ...readText(value)]);
  return found.filter(({ pointer }) => pointer !== '').slice(0, MOST);
}

function readLists(value: unknown): NamedViolation[] {
  if (Array.isArray(value)) return value.flatMap(readError);
  if (!isRecord(value)) return [];
  return LISTS.flatMap((name) => {
    const list = value[name];
    if (Array.isArray(list)) return list.flatMap(readError);
    return isRecord(list) ? readMap(list) : [];
  });
}

function readError(error: unknown): NamedViolation[] {
  if (!isRecord(error)) return [];
  const source = isRecord(error['source']) ? error['source'] : {};
  const place = [source['pointer'], source['parameter'], ...PLACES.map((name) => error[name])].find(
    (one) => (typeof one === 'string' && one !== '') || (Array.isArray(one) && one.length > 0),
  );
  const message = MESSAGES.map((name) => error[name]).find((one) => typeof one === 'string');
  return place === undefined ? [] : [{ pointer: toPlace(place), message: typeof message === 'string' ? message : '' }];
}

/** Reads messages keyed by member name: Laravel, Rails, ASP.NET and flattened zod issues. */
function readMap(map: Readonly<Record<string, unknown>>): NamedViolation[] {
  return Object.entries(map).flatMap(([name, messages]) => {
    const [message] = [messages].flat();
    return typeof message === 'string' && !WRAPPERS.includes(name) && !MESSAGES.includes(name)
      ? [{ pointer: toPlace(name), message }]
      : [];
  });
}

/** Fastify puts the place at the start of its message: `body/name must NOT have fewer than 1 characters`. */
function readText(value: unknown): NamedViolation[] {
  const text = isRecord(value) ? value['message'] : undefined;
  if (typeof text !== 'string') return [];
  const [, place, message = ''] = /^(?:body|querystring|query|params|headers)(\/\S+) (.+)$/s.exec(text) ?? [];
  return place === undefined ? [] : [{ pointer: place, message }];
}

/** Converts a pointer, a path of names or a text such as `user.tags[0]` or `$.name` to a pointer. */
function toPlace(place: unknown): string {
  const names = Array.isArray(place) ? place.map(String) : namesIn(String(place));
  const [first = '', ...rest] = names;
  return toPointer(PARTS.has(first) && rest.length > 0 ? rest : names);
}

function namesIn(text: string): string[] {
  if (/^#?\//.test(text))
    return text
      .replace(/^#?\//, '')
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  // `page[size]` is one parameter name; in a body, brackets hold list indexes.
  return text
    .replace(/^\$\.?/, '')
    .split(/\.|\[(?=\d+\])/)
    .map((name) => name.replace(/^(\d+)\]$/, '$1'))
    .filter((name) => name !== '');
}
