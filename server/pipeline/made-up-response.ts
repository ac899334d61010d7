import { stringifyExactJson } from '../../runtime/json-integers.js';
import { Buffer } from 'node:buffer';

import type { Api, MediaType, Operation } from '../../model/api.js';
import { isRecord, setMember } from '../../model/document/records.js';
import { HttpError } from '../../http/http-error.js';
import { checkResponse, mayHaveBody, findResponseMedia } from '../../http/response/check-response.js';
import type { ResponseMedia } from '../../http/response/response-spec.js';
import { generateValue } from '../../schema/generate-value.js';
import { Random } from '../../schema/sample/random.js';
import { seedFrom } from '../infer/json-path.js';
import { madeUpItems, type Making } from './made-up-items.js';
import { checkItems } from '../../http/response/check-items.js';
import type { HeaderMap, SentBody } from '../../http/messages.js';
import { DecodeError } from '../../http/request/decode-error.js';
import { decodeLeniently } from '../../http/request/fields.js';
import { readXml } from '../../http/xml-body.js';
import { writePartTexts } from '../../http/item-codec.js';
import { createBoundary, writeEvent } from '../../runtime/items.js';
import { writeXmlText, type XmlPlan } from '../../runtime/xml.js';
import { cutMadeUpPage, pagingNames } from '../infer/pagination/made-up-page.js';
import { repairValue } from '../../schema/repair-value.js';
import type { Preference } from '../prism/prefer.js';
import type { ExchangeResponse } from './exchange.js';
import type { Schema } from '../../model/schema-types.js';
import { isOneSided, membersOf } from '../../schema/facts/members.js';

/** The success of an operation that documents errors only. */
export function undocumentedSuccess({ responses, method }: Operation): ExchangeResponse | undefined {
  if (responses.some(({ status }) => !/^[145]/.test(status))) return undefined;
  return { status: method === 'delete' ? 204 : 200, headers: {}, body: undefined, refusal: false, exempt: true };
}

/**
 * Completes what Prism has selected. An example stays as it is where it keeps its schema, and is repaired where it does
 * not; a value that Prism would make of the schema is a realistic one; a media type without a schema has some content.
 *
 * @throws HttpError 500 if no value that keeps the schema is found
 */
export function completeResponse(response: ExchangeResponse, making: Making): ExchangeResponse {
  const { compiled } = making;
  const spec = compiled.findResponseSpec(response.status);
  const media = spec === undefined ? undefined : findResponseMedia(response.headers, spec);
  if (spec === undefined || media === undefined) return response;
  if (media.items !== undefined) {
    const items = madeUpItems(media, media.items, making);
    return checkItems({ ...response, body: { kind: 'items', items } }, spec, compiled.operation);
  }
  if (media.kind === 'stream' && response.body !== undefined) return response;
  if (response.body === undefined)
    return mayHaveBody(response.status) ? { ...response, ...withoutSchema(media, making) } : response;
  if (response.body.kind !== 'json' && response.body.kind !== 'text') return response;
  const made = makeValue(response, media, making);
  const completed = { ...response, ...toBody(made, response.body, { media, headers: response.headers }) };
  const violations = completed.exempt ? [] : checkResponse(completed, spec, { withBody: true });
  if (violations.length === 0) return completed;
  const message = `No response can be made for ${compiled.operation.id}: no value was found that keeps the schema.`;
  throw new HttpError(500, message, { violations });
}

function withoutSchema(
  { kind, media }: ResponseMedia,
  { seed, api }: Making,
): Pick<ExchangeResponse, 'body' | 'headers'> {
  const headers = media.mediaType.includes('*') ? {} : { 'content-type': media.mediaType };
  const random = new Random(seedFrom(seed));
  if (kind === 'json') return { headers, body: { kind: 'json', value: {} } };
  if (kind === 'binary' || kind === 'any')
    return {
      headers,
      body: { kind: 'bytes', bytes: Buffer.from(Array.from({ length: 64 }, () => random.int(0, 255))) },
    };
  const made = generateValue(api, { type: 'string' }, { direction: 'response', seed: random.int(1, 0x7fffffff) });
  const text = made.ok ? String(made.value) : '';
  if (kind === 'stream') return { headers, body: { kind: 'text', text: writeEvent({ data: text }) } };
  return { headers, body: { kind: 'text', text } };
}

/** An example of the spec, or a value of the schema. */
function makeValue({ body }: ExchangeResponse, { media, validate, xml }: ResponseMedia, making: Making): unknown {
  const { api, compiled, exchange, preference, seed } = making;
  const isKept = (value: unknown): boolean => validate === undefined || validate(value).length === 0;
  const selected = body?.kind === 'text' ? readText(body.text, xml) : body?.kind === 'json' ? body.value : undefined;
  // Checked before anything is made: a schema that cannot be checked exactly is reported by the validator of the response.
  isKept(selected);
  const isExample = hasExample(media, preference);
  const made = isExample ? selected : madeUpValue(media, selected, making);
  if (preference !== undefined) return made;
  const schema = media.schema ?? true;
  const value = showSent(made, exchange.input['body'], { schema, api, isKept });
  const query = isRecord(exchange.input['query']) ? exchange.input['query'] : {};
  const page = cutMadeUpPage(value, { operation: compiled.operation, api, query, isExample });
  return isKept(page) ? page : repairValue(api, schema, page, seedFrom(seed));
}

/** An example of XML may be its text, which is not lost where it cannot be read. */
function readText(text: string, xml: XmlPlan | undefined): unknown {
  if (xml === undefined) return text;
  try {
    return readXml(text, xml);
  } catch (error) {
    if (error instanceof DecodeError) return text;
    throw error;
  }
}

function toBody(
  made: unknown,
  body: TextOrJson,
  { media: { xml, parts, media }, headers }: { readonly media: ResponseMedia; readonly headers: HeaderMap },
): Pick<ExchangeResponse, 'body' | 'headers'> {
  if (parts !== undefined && Array.isArray(made)) {
    const boundary = createBoundary();
    const text = writePartTexts(made, parts, boundary);
    const type = `${media.mediaType}; boundary=${boundary}`;
    return { headers: { ...headers, 'content-type': type }, body: { kind: 'text', text } };
  }
  if (xml !== undefined && typeof made !== 'string')
    return { headers, body: { kind: 'text', text: writeXmlText(made, xml) } };
  return { headers, body: body.kind === 'text' ? toText(made, body) : { kind: 'json', value: made } };
}

type TextOrJson = Extract<SentBody, { kind: 'text' | 'json' }>;

function hasExample({ examples, schema }: MediaType, preference: Preference | undefined): boolean {
  if (schema === undefined) return true;
  return preference?.dynamic !== true && examples.some(({ value }) => value !== undefined);
}

function madeUpValue({ schema = true }: MediaType, selected: unknown, { api, seed }: Making): unknown {
  const made = generateValue(api, schema, { direction: 'response', seed: seedFrom(seed), variant: 'full' });
  return made.ok ? made.value : selected;
}

/** A schema of another type than text can be that of a text format, such as YAML, that is written as JSON. */
function toText(value: unknown, { text }: { readonly text: string }): { readonly kind: 'text'; readonly text: string } {
  return {
    kind: 'text',
    text: typeof value === 'string' ? value : value === undefined ? text : stringifyExactJson(value),
  };
}

/** The request target without what says which page of a list is asked for: all pages are those of one list. */
export function listTarget(target: string, operation: Operation, api: Api): string {
  const names = pagingNames(operation, api);
  const [path = '', query] = target.split('?');
  if (names.size === 0 || query === undefined) return target;
  const kept = query
    .split('&')
    .filter((part) => !names.has(decodeLeniently((part.split('=')[0] ?? '').replaceAll('+', ' '))));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

interface Showing {
  readonly schema: Schema;
  readonly api: Api;
  /** Whether a whole response keeps its schema. */
  readonly isKept: (response: unknown) => boolean;
}

/**
 * A made-up response to a write, with the members that were sent in it: a client that shows what it gets back sees
 * what it wrote. A member that the response cannot have as it was sent stays as it was made up.
 */
function showSent(made: unknown, sent: unknown, { schema, api, isKept }: Showing): unknown {
  if (!isRecord(made) || !isRecord(sent)) return made;
  const members = membersOf(schema, api);
  const shared = Object.keys(sent).filter(
    (name) => isShared(name, made, sent) && !isDecided(members.get(name)?.schema, api),
  );
  if (shared.length === 0) return showInEnvelope(made, sent, { schema, api, isKept });
  const withMembers = (names: readonly string[]): Record<string, unknown> => {
    const shown = { ...made };
    for (const name of names) setMember(shown, name, merge(made[name], sent[name]));
    return shown;
  };
  const whole = withMembers(shared);
  if (isKept(whole)) return whole;
  return withMembers(shared.filter((name) => isKept(withMembers([name]))));
}

/** `{ certificate: 'PEM…' }` may be sent, and the certificate shown as an object. */
function isShared(
  name: string,
  made: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, unknown>>,
): boolean {
  return Object.hasOwn(made, name) && (!isRecord(made[name]) || isRecord(sent[name]));
}

function isDecided(schema: Schema | undefined, api: Api): boolean {
  return schema === undefined || isOneSided(schema, api);
}

/** The only object of a body may be what was written. */
function showInEnvelope(
  made: Readonly<Record<string, unknown>>,
  sent: unknown,
  { schema, api, isKept }: Showing,
): unknown {
  const [name, ...others] = Object.keys(made).filter((one) => isRecord(made[one]));
  const inner = name === undefined ? undefined : membersOf(schema, api).get(name)?.schema;
  if (name === undefined || inner === undefined || others.length > 0) return made;
  const within = (value: unknown): Record<string, unknown> => {
    const whole = { ...made };
    setMember(whole, name, value);
    return whole;
  };
  if (!Object.keys(sent as object).some((one) => Object.hasOwn(made[name] as object, one))) return made;
  return within(showSent(made[name], sent, { schema: inner, api, isKept: (value) => isKept(within(value)) }));
}

/** Members that were not sent stay. */
function merge(made: unknown, sent: unknown): unknown {
  if (!isRecord(made) || !isRecord(sent)) return sent;
  const merged = { ...made };
  for (const [name, value] of Object.entries(sent))
    if (Object.hasOwn(made, name)) setMember(merged, name, merge(made[name], value));
  return merged;
}
