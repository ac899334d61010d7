import { Buffer } from 'node:buffer';

import { decodeLeniently } from '../../model/document/pointer.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { Api, Example, MediaType, Operation } from '../../model/api.js';
import { isSameJson } from '../../model/exact-json.js';
import { isRecord } from '../../model/document/records.js';
import { HttpError } from '../../http/http-error.js';
import {
  findResponseViolations,
  mayStatusHaveBody,
  findResponseMedia,
} from '../../http/response/response-violations.js';
import type { ResponseMedia, ResponseSpec } from '../../http/response/response-spec.js';
import { generateValue } from '../../schema/generate-value.js';
import { Random } from '../../schema/sample/random.js';
import { seedFrom } from '../infer/json-path.js';
import { membersOfRange } from '../../http/response/content-negotiation.js';
import { sampleFile } from './sample-files.js';
import { sampleHeaders } from './sample-headers.js';
import { sampleItems, type Making } from './sample-items.js';
import { writeCheckedItems } from '../../http/response/checked-items.js';
import type { HeaderMap, SentBody } from '../../http/messages.js';
import { DecodeError } from '../../runtime/decode-error.js';
import { readXmlBody } from '../../http/xml-body.js';
import { writePartTexts } from '../../http/item-codec.js';
import { createBoundary, writeEvent } from '../../runtime/items.js';
import { writeXmlText, type XmlPlan } from '../../runtime/xml.js';
import { cutMadeUpPage, selectingNames } from '../infer/pagination/sample-page.js';
import { repairValue } from '../../schema/repair-value.js';
import type { Preference } from '../prism/prefer.js';
import type { PipelineResponse } from './pipeline-call.js';
import { bodySchemaOf } from '../../resources/success-response.js';
import { addDefaults } from '../infer/new-item.js';
import { showPath, showSent } from './show-sent.js';

/** Returns the success response of an operation that documents only errors. */
export function undocumentedSuccess({ responses, method }: Operation): PipelineResponse | undefined {
  if (responses.some(({ status }) => !/^[145]/.test(status))) return undefined;
  return { status: method === 'delete' ? 204 : 200, headers: {}, body: undefined, refusal: false, exempt: true };
}

/**
 * Completes a response that Prism has selected. Repairs an invalid example, generates a realistic value instead of
 * Prism's, and adds some content for a media type without a schema.
 *
 * @throws HttpError 500 if no valid value is found
 */
export function completeResponse(response: PipelineResponse, making: Making): PipelineResponse {
  const spec = making.compiled.findResponseSpec(response.status);
  if (spec === undefined) return response;
  const headers = { ...response.headers, ...sampleHeaders(spec, making) };
  return completeBody({ ...response, headers }, spec, making);
}

function completeBody(response: PipelineResponse, spec: ResponseSpec, making: Making): PipelineResponse {
  const { compiled } = making;
  const media = findResponseMedia(response.headers, spec);
  if (media === undefined) return response;
  if (media.items !== undefined) {
    const items = sampleItems(media, media.items, making);
    return writeCheckedItems({ ...response, body: { kind: 'items', items } }, spec, compiled.operation);
  }
  if (media.kind === 'stream' && response.body !== undefined) return response;
  const file = fileOf(media, response);
  if (file !== undefined && findResponseViolations(file, spec, { withBody: true }).length === 0) return file;
  if (response.body === undefined)
    return mayStatusHaveBody(response.status) ? withoutSchema(response, media, making) : response;
  if (response.body.kind !== 'json' && response.body.kind !== 'text') return response;
  const made = makeValue(response, media, making);
  const completed = { ...response, ...toBody(made, response.body, { media, headers: response.headers }) };
  const violations = completed.exempt ? [] : findResponseViolations(completed, spec, { withBody: true });
  if (violations.length === 0) return asWritten(completed, { made, media: media.media, preference: making.preference });
  const message = `No response can be made for ${compiled.operation.id}: no value was found that keeps the schema.`;
  throw new HttpError(500, message, { violations });
}

/** A file of the documented kind that programs can open, if the spec shows no example. */
function fileOf({ kind, media }: ResponseMedia, response: PipelineResponse): PipelineResponse | undefined {
  const isOpen = kind === 'binary' && mayStatusHaveBody(response.status);
  const file = isOpen && media.examples.length === 0 ? sampleFile(media.mediaType) : undefined;
  if (file === undefined) return undefined;
  const headers = { ...response.headers, 'content-type': file.mediaType };
  return { ...response, headers, body: { kind: 'bytes', bytes: file.bytes } };
}

interface MadeValue {
  readonly made: unknown;
  readonly media: MediaType;
  readonly preference: Preference | undefined;
}

/** Sends the text of an example (`serializedValue`, OpenAPI 3.2) as it is, if the response has its value. */
function asWritten(response: PipelineResponse, { made, media, preference }: MadeValue): PipelineResponse {
  const isWanted = ({ name }: Example): boolean => preference?.example === undefined || name === preference.example;
  const example = media.examples.find(
    (one) => one.serializedValue !== undefined && isWanted(one) && isSameJson(one.value, made),
  );
  if (example?.serializedValue === undefined) return response;
  const headers = { 'content-type': media.mediaType, ...response.headers };
  return { ...response, headers, body: { kind: 'text', text: example.serializedValue } };
}

function withoutSchema(
  response: PipelineResponse,
  { kind, media }: ResponseMedia,
  { seed, api }: Making,
): PipelineResponse {
  const isBinary = kind === 'binary' || kind === 'any';
  const bytesType = media.mediaType === '*/*' ? 'application/octet-stream' : membersOfRange(media.mediaType)[0];
  const type = media.mediaType.includes('*') ? (isBinary ? bytesType : undefined) : media.mediaType;
  const typed = type === undefined ? response : { ...response, headers: { ...response.headers, 'content-type': type } };
  const random = new Random(seedFrom(seed));
  if (kind === 'json') return { ...typed, body: { kind: 'json', value: {} } };
  if (isBinary) {
    const bytes = Buffer.from(Array.from({ length: 64 }, () => random.int(0, 255)));
    return { ...typed, body: { kind: 'bytes', bytes } };
  }
  const made = generateValue(api, { type: 'string' }, { direction: 'response', seed: random.int(1, 0x7fffffff) });
  const text = made.ok ? String(made.value) : '';
  return { ...typed, body: { kind: 'text', text: kind === 'stream' ? writeEvent({ data: text }) : text } };
}

/** Returns an example of the spec, or a generated value. */
function makeValue({ body }: PipelineResponse, { media, validate, xml }: ResponseMedia, making: Making): unknown {
  const { api, compiled, call, preference, seed } = making;
  const isKept = (value: unknown): boolean => validate === undefined || validate(value).length === 0;
  const selected = body?.kind === 'text' ? readText(body.text, xml) : body?.kind === 'json' ? body.value : undefined;
  // Validated first, so that the response's validator reports a schema that cannot be checked exactly.
  isKept(selected);
  const isExample = hasExample(media, preference);
  const made = isExample ? selected : sampleValue(media, selected, making);
  if (preference !== undefined) return made;
  const schema = media.schema ?? true;
  const named = showPath(made, call.input['path'], isKept);
  const value = showSent(named, writtenBy(compiled.operation, call.input['body'], api), { schema, api, isKept });
  const page = cutMadeUpPage(value, { operation: compiled.operation, api, call, isExample });
  return isKept(page) ? page : repairValue(api, schema, page, seedFrom(seed));
}

/** What a request writes: its body, and defaults for what it leaves out unless it changes a part. */
function writtenBy(operation: Operation, body: unknown, api: Api): unknown {
  if (!isRecord(body) || (operation.method !== 'post' && operation.method !== 'put')) return body;
  return addDefaults(body, [bodySchemaOf(operation)], api);
}

/** Parses an XML example that is given as text. Returns the text itself if it is unreadable. */
function readText(text: string, xml: XmlPlan | undefined): unknown {
  if (xml === undefined) return text;
  try {
    return readXmlBody(text, xml);
  } catch (error) {
    if (error instanceof DecodeError) return text;
    throw error;
  }
}

function toBody(
  made: unknown,
  body: TextOrJson,
  { media: { xml, parts, media }, headers }: { readonly media: ResponseMedia; readonly headers: HeaderMap },
): Pick<PipelineResponse, 'body' | 'headers'> {
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

function sampleValue({ schema = true }: MediaType, selected: unknown, { api, seed }: Making): unknown {
  const made = generateValue(api, schema, { direction: 'response', seed: seedFrom(seed), variant: 'full' });
  return made.ok ? made.value : selected;
}

/** Writes a value that is not a text as JSON, which is also valid in text formats such as YAML. */
function toText(value: unknown, { text }: { readonly text: string }): { readonly kind: 'text'; readonly text: string } {
  return {
    kind: 'text',
    text: typeof value === 'string' ? value : value === undefined ? text : stringifyExactJson(value),
  };
}

/** Returns the request target without paging and filters, so that all pages come from the same generated list. */
export function listTarget(target: string, operation: Operation, api: Api): string {
  const names = selectingNames(operation, api);
  const [path = '', query] = target.split('?');
  if (names.size === 0 || query === undefined) return target;
  const kept = query
    .split('&')
    .filter((part) => !names.has(decodeLeniently((part.split('=')[0] ?? '').replaceAll('+', ' '))));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}
