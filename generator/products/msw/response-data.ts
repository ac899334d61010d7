import type { EmitterApi, EmitterKit, EmitterOperation, Schema } from '../../emitter-kit/contract.js';
import type { ModuleUses } from './module-uses.js';

type ApiResponse = EmitterOperation['responses'][number];
type MediaType = ApiResponse['content'][number];

/** Marks a call that a bundler may drop. */
export const PURE = '/* @__PURE__ */ ';

/** What a handler is printed with. */
export interface HandlerScope {
  readonly api: EmitterApi;
  readonly kit: EmitterKit<{ readonly validate: boolean }>;
  readonly uses: ModuleUses;
}

/** The response of a handler by default. */
export interface DefaultResponse {
  readonly status: number;
  readonly response: ApiResponse | undefined;
  readonly media: MediaType | undefined;
}

/** The first documented success, else the response that the spec documents. */
export function defaultResponse({ responses }: EmitterOperation): DefaultResponse {
  const response =
    responses.find(({ status }) => /^2\d\d$/.test(status)) ??
    responses.find(({ status }) => /^2XX$/i.test(status)) ??
    responses.find(({ status }) => status === 'default') ??
    responses.find(({ status }) => /^[3-5]\d\d$/.test(status));
  const status = /^\d+$/.test(response?.status ?? '') ? Number(response?.status) : 200;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return { status, response, media: isEmpty ? undefined : preferredContent(response) };
}

/** JSON before all others. */
export function preferredContent(response: ApiResponse | undefined): MediaType | undefined {
  const content = response?.content ?? [];
  return content.find(({ mediaType }) => isJson(mediaType)) ?? content[0];
}

export function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(essenceOf(mediaType));
}

export function essenceOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Prints the function that makes the body of a default response from a seed; `undefined` without a body. */
export function printData({ response, media }: DefaultResponse, scope: HandlerScope): string | undefined {
  if (media === undefined) return undefined;
  const { samples } = scope.kit;
  const { kind } = scope.api.bodyShape(media, response?.content ?? []);
  const [example] = samples.examples(media, 'response');
  if (example !== undefined) return printValue(example, scope);
  const items = samples.items(media);
  if (items !== undefined) return printList(items.schema, scope);
  if (kind === 'text' || kind === 'text-file') {
    const made = media.schema === undefined ? undefined : samples.make(media.schema, 'response', 0)?.value;
    return printValue(typeof made === 'string' ? made : 'text', scope);
  }
  if (kind === 'binary' || kind === 'unknown') return printValue('file', scope);
  if (kind === 'stream') return printValue('data: "event"\n\n', scope);
  return media.schema === undefined ? printValue({}, scope) : printMade(media.schema, scope);
}

/** Prints a value of a schema: a fixture, a list of fixtures, or made values. */
function printMade(schema: Schema, scope: HandlerScope): string | undefined {
  const { api, kit } = scope;
  const own = printFixture(schema, scope, 'seed');
  if (own !== undefined) return `(seed) => ${own}`;
  const [first, second] = [fixtureItem(schema, scope, 'seed'), fixtureItem(schema, scope, 'seed + 1')];
  if (first !== undefined && second !== undefined) return `(seed) => [${first}, ${second}]`;
  const made = [0, 1].flatMap((seed) => kit.samples.make(schema, 'response', seed) ?? []).map(({ value }) => value);
  const [one] = made;
  if (one === undefined && made.length === 0) {
    kit.report({ severity: 'info', message: `No valid value could be made for a response of ${api.title}.` });
    return undefined;
  }
  const texts = [...new Set(made.map((value) => kit.print.literal(value)))];
  const [text = '', other] = texts;
  if (other === undefined || other.length > MAX_SECOND) return printValue(one, scope);
  return `(seed) => (seed % 2 === 0 ? ${text} : ${other})`;
}

/** A longer second value is not printed. */
const MAX_SECOND = 1_000;

/** Prints the call of the fixture of a reference. */
function printFixture(schema: Schema, { api, kit, uses }: HandlerScope, seed: string): string | undefined {
  if (typeof schema !== 'object' || schema.$ref === undefined || !isOnly(schema, ['$ref'])) return undefined;
  const fixture = kit.samples.fixture(api.refName(schema.$ref));
  return fixture === undefined
    ? undefined
    : `${uses.use(fixture)}(undefined, { ${seed === 'seed' ? seed : `seed: ${seed}`} })`;
}

/** Prints an item of a list of references that may have any two items. */
function fixtureItem(schema: Schema, scope: HandlerScope, seed: string): string | undefined {
  if (typeof schema !== 'object' || schema.type !== 'array' || !isOnly(schema, ['type', 'items'])) return undefined;
  return schema.items === undefined ? undefined : printFixture(schema.items, scope, seed);
}

const NOTES: ReadonlySet<string> = new Set([
  'title',
  'description',
  'deprecated',
  'readOnly',
  '$comment',
  'xml',
  'example',
  'examples',
  'default',
]);

function isOnly(schema: object, keywords: readonly string[]): boolean {
  return Object.keys(schema).every((key) => keywords.includes(key) || NOTES.has(key) || key.startsWith('x-'));
}

/** Prints the items of a stream. */
function printList(schema: Schema, scope: HandlerScope): string {
  const own = [printFixture(schema, scope, 'seed'), printFixture(schema, scope, 'seed + 1')];
  if (own[0] !== undefined) return `(seed) => [${own.join(', ')}]`;
  const made = [0, 1].flatMap((seed) => scope.kit.samples.make(schema, 'response', seed) ?? []);
  return printValue(
    made.map(({ value }) => value),
    scope,
  );
}

function printValue(value: unknown, { kit }: HandlerScope): string {
  const text = kit.print.literal(value);
  return `() => ${text.startsWith('{') ? `(${text})` : text}`;
}

/** The required headers of a response, with valid values. */
export function sampleHeaders({ response }: DefaultResponse, { kit }: HandlerScope): Readonly<Record<string, string>> {
  const required = (response?.headers ?? []).filter(
    (header) => header.required && !/^content-type$/i.test(header.name),
  );
  return Object.fromEntries(
    required.flatMap(({ name, schema, mediaType, examples }) => {
      const value =
        examples.find((one) => one.value !== undefined)?.value ?? kit.samples.make(schema, 'response', 0)?.value;
      if (value === undefined) return [];
      const isPlain = mediaType === undefined && (typeof value !== 'object' || value === null || Array.isArray(value));
      return [[name, isPlain ? [value].flat().join(',') : JSON.stringify(value)] as const];
    }),
  );
}
