import type { EmitterApi, EmitterKit, EmitterOperation, Schema, SchemaObject } from '../../emitter-kit/contract.js';

type Response = EmitterOperation['responses'][number];

/**
 * Prints a function that makes the documented body of a failure from `f`, a `ServerFailure`; `undefined` if the spec
 * documents no JSON object that can say what is wrong.
 */
export function printFailure({ status, content }: Response, api: EmitterApi, kit: EmitterKit): string | undefined {
  if (/^[123]/.test(status)) return undefined;
  const media = content.find(({ mediaType }) => /^application\/([\w.+-]+\+)?json\b/i.test(mediaType));
  if (media?.schema === undefined) return undefined;
  const body = printObject(mergeParts(media.schema, api), { api, kit, status, depth: 0 });
  return body?.includes('f.message') === true ? `(f) => (${body})` : undefined;
}

interface FailureScope {
  readonly api: EmitterApi;
  readonly kit: EmitterKit;
  readonly status: string;
  readonly depth: number;
}

/** How many objects are inside of each other. */
const MOST_NESTED = 4;

/** Follows references, takes the first alternative, and merges the members of `allOf`. */
function mergeParts(schema: Schema | undefined, api: EmitterApi, depth = 0): SchemaObject {
  const target = schema === undefined ? true : api.resolve(schema);
  if (typeof target === 'boolean' || depth > 10) return {};
  const alternative = target.properties === undefined ? (target.oneOf ?? target.anyOf)?.[0] : undefined;
  const parts = [...(target.allOf ?? []), ...(alternative === undefined ? [] : [alternative])].map((part) =>
    mergeParts(part, api, depth + 1),
  );
  const all = [...parts, target];
  return {
    ...target,
    type: all.find(({ type }) => type !== undefined)?.type,
    properties: Object.fromEntries(all.flatMap((part) => Object.entries(part.properties ?? {}))),
    required: all.flatMap((part) => part.required ?? []),
  } as SchemaObject;
}

function isOfType({ type, properties = {}, enum: list }: SchemaObject, wanted: string): boolean {
  const usual = Object.keys(properties).length === 0 ? 'string' : 'object';
  if (type === undefined) return wanted === usual && list === undefined;
  return [type].flat().some((one) => one === wanted);
}

function printObject({ properties = {}, required = [] }: SchemaObject, scope: FailureScope): string | undefined {
  if (Object.keys(properties).length === 0) return undefined;
  const names = [...new Set([...Object.keys(properties), ...required])];
  const values = new Map(
    names.flatMap((name) => {
      const code = printMember(name, properties[name], required.includes(name), scope);
      return code === undefined ? [] : [[name, code] as const];
    }),
  );
  if (![...values.values()].some((code) => code.includes('f.message'))) addPlace(values, properties, scope);
  return `{ ${[...values].map(([name, code]) => `${scope.kit.print.key(name)}: ${code}`).join(', ')} }`;
}

/** Adds the first object or list that can have the message. */
function addPlace(
  values: Map<string, string>,
  properties: Readonly<Record<string, Schema>>,
  scope: FailureScope,
): void {
  for (const [name, schema] of Object.entries(properties)) {
    const resolved = mergeParts(schema, scope.api);
    if (values.has(name) || !(isOfType(resolved, 'object') || isOfType(resolved, 'array'))) continue;
    const code = printAny(resolved, scope);
    if (code.includes('f.message')) {
      values.set(name, code);
      return;
    }
  }
}

const TEXTS = new Set(['message', 'detail', 'description', 'errordescription', 'errormessage', 'msg', 'error']);
const CODES = new Set([
  'code',
  'errorcode',
  'errortype',
  'reason',
  'kind',
  'type',
  'status',
  'statuscode',
  'httpstatus',
]);

function printMember(
  name: string,
  schema: Schema | undefined,
  isRequired: boolean,
  scope: FailureScope,
): string | undefined {
  const resolved = mergeParts(schema, scope.api);
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const isText = isOfType(resolved, 'string') && resolved.enum === undefined && resolved.const === undefined;
  if (TEXTS.has(plain) && isText) return printText(resolved);
  if (plain === 'violations' && isOfType(resolved, 'array') && !isRequired) return undefined;
  if (plain === 'title' && isText) return 'f.message';
  if (CODES.has(plain) && (isOfType(resolved, 'integer') || isOfType(resolved, 'number'))) return 'f.status';
  return isRequired ? printAny(resolved, scope) : undefined;
}

function printText({ maxLength }: SchemaObject): string {
  return maxLength === undefined ? 'f.message' : `f.message.slice(0, ${maxLength})`;
}

function printAny(schema: SchemaObject, scope: FailureScope): string {
  const { literal } = scope.kit.print;
  const { status } = scope;
  if (schema.default !== undefined) return literal(schema.default);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return literal(chooseCode(schema.enum, status));
  const [example] = schema.examples ?? [];
  if (isOfType(schema, 'object')) {
    const inner = scope.depth >= MOST_NESTED ? undefined : printObject(schema, { ...scope, depth: scope.depth + 1 });
    return inner ?? '{}';
  }
  if (isOfType(schema, 'array')) return printList(schema, scope);
  if (isOfType(schema, 'integer') || isOfType(schema, 'number')) return 'f.status';
  if (isOfType(schema, 'boolean')) return 'false';
  if (typeof example === 'string') return literal(example);
  if (schema.format === 'date-time') return 'new Date().toISOString()';
  if (schema.format?.startsWith('uri') === true) return literal('about:blank');
  return isOfType(schema, 'string') ? printText(schema) : 'null';
}

function printList({ items, minItems = 0 }: SchemaObject, scope: FailureScope): string {
  if (scope.depth >= MOST_NESTED) return '[]';
  if (items === undefined) return minItems > 0 ? '[f.message]' : '[]';
  return `[${printAny(mergeParts(items, scope.api), { ...scope, depth: scope.depth + 1 })}]`;
}

/** Words that a code of a status has, the best first. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  '400': ['bad_request', 'badrequest', 'invalid', 'validation', 'malformed'],
  '401': ['unauthorized', 'unauthenticated', 'authentication'],
  '403': ['forbidden', 'permission', 'denied'],
  '404': ['notfound', 'missing'],
  '409': ['conflict', 'exists', 'duplicate'],
  '413': ['large'],
  '415': ['media', 'unsupported'],
  '422': ['unprocessable', 'validation', 'invalid'],
  '429': ['rate', 'many', 'limit'],
  '500': ['internal', 'server'],
};

/** The value of an enum that fits a status best. */
function chooseCode(values: readonly unknown[], status: string): unknown {
  const plain = values.map((value) =>
    String(value)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ''),
  );
  for (const word of [status, ...(WORDS[status] ?? []).map((one) => one.replaceAll('_', ''))]) {
    const found = plain.findIndex((value) => value.includes(word));
    if (found !== -1) return values[found];
  }
  return values[0];
}
