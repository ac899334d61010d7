import { isStandardMethod } from '../http-method.js';
import type { Cursor } from '../document/cursor.js';
import type { CheckedVersion } from './object-shapes.js';

type Rule = (cursor: Cursor, version: CheckedVersion) => void;

/** The rules of single objects that a list of members cannot express, by object name. */
const RULES: Readonly<Record<string, Rule>> = {
  OpenAPI: checkContainers,
  Paths: checkPaths,
  PathItem: checkPathItem,
  Operation: checkParameters,
  Parameter: checkParameter,
  Header: checkHeaderValue,
  Response: checkResponse,
  Encoding: checkHeaderNames,
  ServerVariable: checkServerVariable,
  SecurityScheme: checkSecurityScheme,
};

export function checkObject(name: string, cursor: Cursor, version: CheckedVersion): void {
  if (Object.hasOwn(RULES, name)) RULES[name]?.(cursor, version);
}

function checkContainers(cursor: Cursor, version: CheckedVersion): void {
  if (version !== '3.0' && !['components', 'paths', 'webhooks'].some((key) => cursor.has(key)))
    cursor.report('document-invalid', 'The document must have "components", "paths" or "webhooks".');
}

function checkPaths(cursor: Cursor): void {
  const byTemplate = new Map<string, string>();
  for (const [path, item] of cursor.members()) {
    if (!path.startsWith('/')) item.report('document-invalid', `The path ${JSON.stringify(path)} must begin with "/".`);
    const template = decodeText(path.replaceAll(/\{[^{}]*\}/g, '{}'));
    const same = byTemplate.get(template);
    if (same === undefined) byTemplate.set(template, path);
    else
      item.report(
        'document-invalid',
        `The path ${JSON.stringify(path)} is the same as ${JSON.stringify(same)}, but for the names of its parameters and for escapes.`,
      );
  }
}

/** The text without its percent escapes; a text with broken ones stays as it is. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function checkPathItem(cursor: Cursor, version: CheckedVersion): void {
  checkParameters(cursor);
  if (version !== '3.2') return;
  for (const [method, operation] of cursor.entriesAt('additionalOperations')) {
    if (isStandardMethod(method))
      operation.report(
        'document-invalid',
        `${method} must not be an additional operation: it has the member "${method.toLowerCase()}".`,
      );
  }
}

/** There is at most one `querystring` parameter, and none beside `query` parameters. */
function checkParameters(cursor: Cursor): void {
  if (!Array.isArray(cursor.record['parameters'])) return;
  const locations = cursor.itemsAt('parameters').map((item) => item.deref().record['in']);
  const whole = locations.filter((location) => location === 'querystring').length;
  const list = cursor.at('parameters');
  if (whole > 1) list.report('document-invalid', 'There must be at most one parameter with "in": "querystring".');
  else if (whole === 1 && locations.includes('query'))
    list.report('document-invalid', 'Parameters with "in": "query" and "in": "querystring" exclude each other.');
}

/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** In every version, a parameter of a path is always required. */
export function checkPathParameter(cursor: Cursor): void {
  if (cursor.record['in'] === 'path' && cursor.record['required'] !== true)
    cursor.report('document-invalid', 'A path parameter must have "required": true.');
}

function checkParameter(cursor: Cursor, version: CheckedVersion): void {
  const name = cursor.record['name'];
  const location = cursor.record['in'];
  if (typeof name === 'string') {
    if (location === 'header' && !TOKEN.test(name)) reportHeaderName(cursor.at('name'), name);
    if (location === 'path' && /[{}]/.test(name))
      cursor.at('name').report('document-invalid', 'The name of a path parameter must not contain "{" or "}".');
  }
  checkPathParameter(cursor);
  checkReserved(cursor, version);
  checkHeaderValue(cursor, version);
  if (location === 'querystring' && (cursor.has('schema') || hasStyle(cursor)))
    cursor.report(
      'document-invalid',
      'A parameter with "in": "querystring" must have "content" and neither "schema" nor "style".',
    );
}

/** Checks where `allowReserved` may be used (OpenAPI 3.2, "Fixed Fields for use with `schema`"). */
function checkReserved(cursor: Cursor, version: CheckedVersion): void {
  if (cursor.record['allowReserved'] === undefined || version === '3.0') return;
  const location = cursor.record['in'];
  const isAllowed =
    location === 'query' ||
    (version === '3.2' && (location === 'path' || (location === 'cookie' && cursor.record['style'] !== 'cookie')));
  if (!isAllowed) cursor.at('allowReserved').report('document-invalid', '"allowReserved" has no meaning here.');
}

function hasStyle(cursor: Cursor): boolean {
  return ['style', 'explode', 'allowReserved'].some((key) => Object.hasOwn(cursor.record, key));
}

/** A Parameter or Header Object must have `schema` (with a style) or `content` with one media type. */
function checkHeaderValue(cursor: Cursor, version: CheckedVersion): void {
  const hasContent = cursor.has('content');
  const hasSchema = Object.hasOwn(cursor.record, 'schema');
  if (!hasContent && !hasSchema && version !== '3.0')
    cursor.report('document-invalid', 'One of "schema" and "content" is needed.');
  if (hasContent && hasSchema) cursor.report('document-invalid', '"schema" and "content" exclude each other.');
  if (hasContent && !hasSchema && hasStyle(cursor))
    cursor.report('document-invalid', '"style", "explode" and "allowReserved" have no meaning beside "content".');
  if (hasContent && cursor.at('content').members().length !== 1)
    cursor.at('content').report('document-invalid', '"content" must have exactly one media type here.');
}

function checkResponse(cursor: Cursor, version: CheckedVersion): void {
  if (version !== '3.2' && !cursor.has('description') && cursor.record['description'] !== '')
    cursor.report('document-invalid', `A Response Object of OpenAPI ${version} must have "description".`);
  checkHeaderNames(cursor);
}

function checkHeaderNames(cursor: Cursor): void {
  for (const [name, header] of cursor.entriesAt('headers')) if (!TOKEN.test(name)) reportHeaderName(header, name);
}

function reportHeaderName(cursor: Cursor, name: string): void {
  cursor.report('document-invalid', `${JSON.stringify(name)} is not the name of a header (RFC 9110, section 5.1).`);
}

function checkServerVariable(cursor: Cursor): void {
  const values = cursor.record['enum'];
  if (!Array.isArray(values)) return;
  if (values.length === 0)
    cursor.at('enum').report('document-invalid', 'The enum of a server variable must not be empty.');
  else if (!values.includes(cursor.record['default']))
    cursor.at('default').report('document-invalid', 'The default of a server variable must be one of its enum.');
}

/** The members of security schemes that belong to one type only. */
const SCHEME_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  apiKey: ['name', 'in'],
  http: ['scheme', 'bearerFormat'],
  oauth2: ['flows', 'oauth2MetadataUrl'],
  openIdConnect: ['openIdConnectUrl'],
  mutualTLS: [],
};

function checkSecurityScheme(cursor: Cursor): void {
  const type = cursor.string('type') ?? '';
  if (!Object.hasOwn(SCHEME_MEMBERS, type)) return;
  for (const [owner, members] of Object.entries(SCHEME_MEMBERS))
    for (const key of owner === type ? [] : members.filter((member) => cursor.has(member)))
      cursor
        .at(key)
        .report('document-invalid', `"${key}" has no meaning at the type "${type}"; it belongs to "${owner}".`);
}
