import type { Api } from '../../model/api.js';
import type { HeaderMap } from '../../http/messages.js';
import { isToken } from '../../runtime/parsed-media-type.js';
import { writeRequest } from '../../http/request/write-request.js';
import type { ResponseHeader, ResponseSpec } from '../../http/response/response-spec.js';
import { hasNumber, typesOf } from '../../schema/facts/members.js';
import { sampleValue } from '../../schema/sample-value.js';
import { seedFrom } from '../infer/json-path.js';

/** What headers are made from. */
interface Sampling {
  readonly api: Api;
  /** The seed of the generated values. */
  readonly seed: string;
}

/** Headers that describe the message itself, so that made-up ones are always wrong (RFC 9110, RFC 9112). */
const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** How many generated values are tried: some are valid but cannot be written, such as texts with line breaks. */
const ATTEMPTS = 4;

/**
 * Returns the documented headers of a response, made from their examples, else from their schemas. Headers for which
 * nothing fits are left out.
 */
export function sampleHeaders(spec: ResponseSpec, sampling: Sampling): HeaderMap {
  return withSamples({}, spec.headers, sampling);
}

/** Returns the headers with a made-up value for each that is required and missing, or breaks the spec. */
export function repairHeaders(headers: HeaderMap, spec: ResponseSpec, sampling: Sampling): HeaderMap {
  const broken = spec.headers.filter(({ name, required, check }) => {
    const value = headers[name];
    return value === undefined ? required : [value].flat().some((text) => check(text).length > 0);
  });
  if (broken.length === 0) return headers;
  const names = new Set(broken.map(({ name }) => name));
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)));
  return withSamples(kept, broken, sampling);
}

function withSamples(headers: HeaderMap, wanted: readonly ResponseHeader[], sampling: Sampling): HeaderMap {
  const made = wanted.flatMap((header): [string, string][] => {
    const text = FRAMING.has(header.name) ? undefined : sampleHeader(header, sampling);
    return text === undefined ? [] : [[header.name, text]];
  });
  return { ...headers, ...Object.fromEntries(made) };
}

function sampleHeader(spec: ResponseHeader, sampling: Sampling): string | undefined {
  for (const value of candidatesOf(spec, sampling)) {
    const text = writeHeader(spec, value);
    if (text !== undefined && spec.check(text).length === 0) return text;
  }
  return undefined;
}

function* candidatesOf({ header, name }: ResponseHeader, { api, seed }: Sampling): Generator {
  for (const { value } of header.examples) if (value !== undefined) yield value;
  // Clients wait as long as a Retry-After says, so numbers are small.
  if (hasNumber(typesOf(header.schema, api))) yield 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const made = sampleValue(api, header.schema, seedFrom(`${seed} ${name}`) + attempt);
    if (made !== undefined) yield made.value;
  }
}

/** Writes a value as a header; `undefined` if a header cannot have it. */
function writeHeader({ header, name }: ResponseHeader, value: unknown): string | undefined {
  if (!isToken(name)) return undefined;
  const { explode, mediaType } = header;
  const parameter = { name, in: 'header', style: 'simple', explode, allowReserved: false } as const;
  const { headers } = writeRequest({ path: '' }, [
    [{ ...parameter, ...(mediaType === undefined ? {} : { mediaType }) }, value],
  ]);
  const text = headers[name]?.trim();
  return text !== undefined && /^[\t\x20-\x7e]*$/.test(text) ? text : undefined;
}
