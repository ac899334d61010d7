import type { Api, HttpMethod, MediaType, Operation, Parameter } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { compileValidator, isValidValue } from '../../schema/compile-validator.js';
import type { Direction } from '../../schema/variants.js';
import { findParameter } from '../../model/find-parameter.js';
import { resolvePointer, splitPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { isObjectSchema } from '../../schema/facts/members.js';
import { boundaryValues } from '../../schema/boundary-values.js';
import { setAt } from '../../schema/value-path.js';
import { type NearMiss, nearMisses } from '../../schema/near-misses.js';
import { isOptional } from '../../http/credentials/authenticate.js';
import { demandsCredential } from '../execute/http/made-up-credentials.js';
import { bodyKindOf, isItemMedia } from '../../http/request/write-body.js';
import { scalarText } from '../../http/request/write-request.js';
import type { Call, Case, Expectation } from '../types.js';
import { staysInvalidItems } from '../item-lists.js';
import { XmlError } from '../../runtime/xml-scanner.js';
import { readXmlText, writeXmlText, type XmlPlan } from '../../runtime/xml.js';
import { xmlPlanOf } from '../../schema/xml-plan.js';
import { unknownItemCases } from './unknown-item-cases.js';
import { type CallContext, bodyOf, fillableParameters, makeBody } from './build-request-values.js';

/** Calls that are invalid in one way each, made from an accepted call. */
export function negativeCases(base: Call, context: CallContext): Case[] {
  const forms = otherMedia(base, context);
  const broken = [
    ...protocolCases(base, context),
    ...parameterCases(base, context),
    ...windowCases(base),
    // Servers may drop the body of a GET, so they need not refuse a wrong one.
    ...(base.operation.method === 'get' ? [] : [base, ...forms].flatMap((one) => bodyCases(one, context))),
  ];
  return [...broken.map((one): Case => ({ ...one, phase: 'negative' })), ...unknownItemCases(base, context)];
}

type Broken = Omit<Case, 'phase'>;

/** The same call with each of the other media types of its body. */
function otherMedia(base: Call, { api, pool }: CallContext): Call[] {
  const others = (bodyOf(base.operation)?.content ?? []).filter((media) => media !== base.body?.media);
  return others
    .filter(({ mediaType }) => ['form', 'multipart'].includes(bodyKindOf(mediaType)))
    .flatMap((media) => {
      const body = makeBody(media, { variant: 'full', seed: 1 }, api);
      return body === undefined ? [] : [pool.withIds({ ...base, body })];
    });
}

/** Requests beyond the window that `x-pagination` sets for skip and size together. */
function windowCases(base: Call): Broken[] {
  const said = base.operation.extensions['x-pagination'] as Readonly<Record<string, unknown>> | undefined;
  const [skip, size] = ['skip', 'size'].map((role) => findParameter(base.operation, 'query', String(said?.[role])));
  if (typeof said?.['window'] !== 'number' || skip === undefined || size === undefined) return [];
  const parameters = new Map([...base.parameters, [skip, said['window']], [size, 1]]);
  const message = `goes beyond ${said['window']} together with ${size.name}`;
  return [{ call: { ...base, parameters }, expectation: invalid(`query ${skip.name}`, 'window', message) }];
}

function invalid(pointer: string, keyword: string, message: string): Expectation {
  return { kind: 'invalid', pointer, keyword, message };
}

/** The expectation for a value that breaks a schema in one place. `at`: the place of the whole value. */
function missed(at: string, miss: NearMiss, schema: Schema, api: Api): Expectation {
  return {
    kind: 'invalid',
    pointer: `${at}${miss.pointer}`,
    keyword: miss.keyword,
    message: miss.message,
    // A body that is null as a whole is a missing body.
    isHarmless: () => (at !== 'body' || miss.pointer !== '') && isHarmless(miss, schema, api),
  };
}

/**
 * Whether a server that accepts a value has only been lenient: it took `null` for an absent member, or a scalar for the
 * valid one of another type that it stands for (`true` for 1, 12.5 for "12.5").
 */
function isHarmless({ value, pointer }: NearMiss, schema: Schema, api: Api): boolean {
  const wrong = resolvePointer(value, pointer);
  if (wrong === null) return true;
  const validate = compileValidator(api, schema, { direction: 'request' });
  return otherForms(wrong).some((form) => validate(setAt(value, splitPointer(pointer), form)).length === 0);
}

/** What a scalar of one type stands for in others. */
function otherForms(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [String(value), Number(value)];
  if (typeof value === 'number') return [String(value), ...(value === 0 || value === 1 ? [value === 1] : [])];
  if (typeof value !== 'string') return [];
  const number = value.trim() === '' ? NaN : Number(value);
  return [...(Number.isNaN(number) ? [] : [number]), ...(/^(?:true|false)$/.test(value) ? [value === 'true'] : [])];
}

function protocolCases(base: Call, { api, sparesExisting }: CallContext): Broken[] {
  const { operation } = base;
  const anonymous: Broken[] = refusesAnonymous(operation, api)
    ? [{ call: { ...base, isAnonymous: true }, expectation: { kind: 'unauthenticated' } }]
    : [];
  const wrong = [...anonymous, ...malformedCredentials(base, api)];
  const { body: _, ...bare } = base;
  const method = undocumentedMethods(operation, api).find((one) => sparesExisting({ ...bare, method: one }));
  if (method === undefined) return wrong;
  return [...wrong, { call: { ...bare, method }, expectation: { kind: 'unsupported' } }];
}

function refusesAnonymous(operation: Operation, api: Api): boolean {
  return demandsCredential(operation, api) && !isOptional(operation, api);
}

/** An unknown credential scheme, and empty credentials. */
function malformedCredentials(base: Call, api: Api): Broken[] {
  if (!refusesAnonymous(base.operation, api)) return [];
  const names = [...new Set(base.operation.security.flatMap((one) => Object.keys(one)))];
  const schemes = names.map((name) => api.securitySchemes.get(name));
  const isInHeader = schemes.some((one) => ['http', 'oauth2', 'openIdConnect'].includes(one?.type ?? ''));
  // An API key may be any text.
  const isKey = schemes.some(
    (one) => one === undefined || (one.type === 'apiKey' && one.name.toLowerCase() === 'authorization'),
  );
  const unknown = !isInHeader || isKey ? [] : ['Specmill-Unknown specmill', 'Specmill-Unknown'];
  const foreign = unknown.map((authorization): Pick<Call, 'headers' | 'query'> => ({
    headers: { ...base.headers, authorization },
  }));
  const empty = schemes.flatMap((one): Pick<Call, 'headers' | 'query'>[] => {
    if (one?.type !== 'apiKey' || one.name.toLowerCase() === 'authorization') return [];
    if (one.in === 'query') return [{ query: { ...base.query, [one.name]: '' } }];
    return one.in === 'header' ? [{ headers: { ...base.headers, [one.name.toLowerCase()]: '' } }] : [];
  });
  // Drops the other credentials: a key in another place would still be valid.
  return [...foreign, ...empty].map((change) => ({
    call: { ...base, isAnonymous: true, ...change },
    expectation: { kind: 'unauthenticated', isWrong: true },
  }));
}

/** Methods that no operation has at the URLs of this one. */
function undocumentedMethods({ path, id }: Operation, { operations }: Api): HttpMethod[] {
  // Only for the first operation of each path.
  if (operations.find((one) => one.path === path)?.id !== id) return [];
  const matching = operations.filter((one) => one.path === path || overlaps(one.path, path));
  return (['delete', 'put', 'patch', 'post'] as const).filter((method) =>
    matching.every((one) => one.method !== method),
  );
}

/** Whether a URL can match both templates. */
function overlaps(one: string, other: string): boolean {
  const [parts, others] = [one.split('/'), other.split('/')];
  return (
    parts.length === others.length &&
    parts.every((part, index) => part === others[index] || part.includes('{') || others[index]?.includes('{') === true)
  );
}

function parameterCases(base: Call, { api }: CallContext): Broken[] {
  return fillableParameters(base.operation, api).flatMap((parameter) => {
    const value = base.parameters.get(parameter);
    const pointer = `${parameter.in} ${parameter.name}`;
    const missing: Broken[] =
      parameter.required && parameter.in !== 'path'
        ? [{ call: withParameter(base, parameter, undefined), expectation: invalid(pointer, 'required', 'is missing') }]
        : [];
    if (value === undefined) return missing;
    const misses = nearMisses(parameter.schema, value, { api, direction: 'request' }).filter((miss) =>
      staysInvalid(miss.value, parameter, api),
    );
    return [
      ...missing,
      ...misses.map((miss) => ({
        call: withParameter(base, parameter, miss.value),
        expectation: missed(pointer, miss, parameter.schema, api),
      })),
    ];
  });
}

function withParameter(base: Call, parameter: Parameter, value: unknown): Call {
  const others = [...base.parameters].filter(([other]) => other !== parameter);
  return { ...base, parameters: new Map(value === undefined ? others : [...others, [parameter, value]]) };
}

/** Whether a parameter is still invalid as text: a number is a valid string, and an empty list cannot be written. */
function staysInvalid(value: unknown, parameter: Parameter, api: Api): boolean {
  if (parameter.in === 'querystring' && bodyKindOf(parameter.mediaType ?? '') === 'form')
    return isRecord(value) && Object.values(value).every(isFormValue) && staysInvalidForm(value, parameter.schema, api);
  if (parameter.mediaType !== undefined && bodyKindOf(parameter.mediaType) !== 'text') return true;
  if (Array.isArray(value)) return value.length > 0 && staysInvalidList(value, parameter, api);
  if (typeof value === 'object' && value !== null) return false;
  // In most styles, a text can also be read as an object.
  if (isObjectSchema(parameter.schema, api)) return false;
  const text = scalarText(value);
  if (text === '' || (parameter.in === 'header' && text.trim() !== text)) return false;
  return !acceptsText(text, parameter.schema, { api, direction: 'request' });
}

function staysInvalidList(value: readonly unknown[], parameter: Parameter, api: Api): boolean {
  const texts = value.map((item) => scalarText(item));
  if (texts.some((text) => text.includes(',') || typeof value[0] === 'object')) return false;
  return !acceptsText(texts.join(','), parameter.schema, { api, direction: 'request' });
}

function bodyCases(base: Call, { api }: CallContext): Broken[] {
  const { body, operation } = base;
  if (body === undefined) return [];
  const kind = bodyKindOf(body.media.mediaType);
  const pointer = 'body';
  const cases: Broken[] = [];
  // Without a length, an empty file is the same as no body.
  if (operation.body?.required === true && kind !== 'binary') {
    const { body: _, ...bare } = base;
    cases.push({ call: bare, expectation: invalid(pointer, 'required', 'is missing') });
  }
  if (kind === 'json' && looksAtMediaType(operation))
    cases.push({
      call: { ...base, body: { ...body, contentType: 'text/x-specmill' } },
      expectation: invalid(pointer, 'content type', 'has a media type that is not documented'),
    });
  const { media } = body;
  const xml = xmlPlanOf(api, media);
  if (
    media.schema === undefined ||
    (media.sequence === undefined && xml === undefined && !['json', 'form', 'multipart'].includes(kind))
  )
    return cases;
  if (kind === 'json')
    cases.push({
      call: { ...base, body: { ...body, raw: '{"specmill": ' } },
      expectation: invalid(pointer, 'json', 'is not JSON'),
    });
  const misses = [
    ...nearMisses(media.schema, body.value, { api, direction: 'request' }),
    ...branchMisses(media.schema, body.value, api),
  ];
  const { schema } = media;
  const sent = kind === 'json' ? misses : misses.filter((miss) => staysInvalidBody(miss, media, api));
  return [
    ...cases,
    ...sent.map((miss) => ({
      call: { ...base, body: { ...body, value: miss.value } },
      expectation: missed(pointer, miss, schema, api),
    })),
  ];
}

/** Cases that break a value inside the other branches of alternatives. */
function branchMisses(schema: Schema, value: unknown, api: Api): NearMiss[] {
  return boundaryValues(schema, value, { api, direction: 'request' })
    .filter(({ edge }) => edge === 'branch')
    .flatMap(({ value: other, pointer }) =>
      nearMisses(schema, other, { api, direction: 'request', along: pointer }).filter((miss) =>
        miss.pointer.startsWith(`${pointer}/`),
      ),
    );
}

/**
 * Whether the server must check the media type. If the body is optional, it may ignore an unreadable one unless the
 * spec documents the refusal.
 */
function looksAtMediaType({ body, responses }: Operation): boolean {
  if (body?.required !== true && responses.every(({ status }) => status !== '415')) return false;
  return body?.content.every(({ mediaType }) => !mediaType.includes('*') && !mediaType.startsWith('text/')) === true;
}

function staysInvalidBody({ value, pointer }: NearMiss, media: MediaType, api: Api): boolean {
  const xml = xmlPlanOf(api, media);
  if (xml !== undefined) return staysInvalidXml(value, media.schema ?? true, { api, xml });
  if (isItemMedia(media)) return staysInvalidItems(value, media, api);
  return isWrittenExactly({ value, pointer }, media) && staysInvalidForm(value, media.schema ?? true, api);
}

/** XML only has texts and elements: an invalid value counts if it is still invalid after a server has read it. */
function staysInvalidXml(
  value: unknown,
  schema: Schema,
  { api, xml }: { readonly api: Api; readonly xml: XmlPlan },
): boolean {
  try {
    const read = readXmlText(writeXmlText(value, xml), xml);
    return !isValidValue(read, schema, api);
  } catch (error) {
    if (error instanceof XmlError) return false;
    throw error;
  }
}

/** Form values are texts: only missing members, and values with no valid reading, stay invalid. */
function staysInvalidForm(value: unknown, schema: Parameters<typeof compileValidator>[1], api: Api): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return compileValidator(api, schema, { direction: 'request' })(value).every(({ keyword }) => keyword !== 'type');
}

/**
 * Whether the invalid value can be written in only one way. An empty text or list may be left out, and objects are
 * written in many ways unless the spec says `deepObject`.
 */
function isWrittenExactly({ value, pointer }: Pick<NearMiss, 'value' | 'pointer'>, { encoding }: MediaType): boolean {
  if (!isRecord(value)) return false;
  const [name, ...inner] = splitPointer(pointer);
  // A violation of the form itself, such as an unknown member, concerns all its members.
  if (name === undefined) return Object.values(value).every(isFormValue);
  const member = value[name];
  if (!isRecord(member)) return isFormValue(member);
  const isText = (one: unknown): boolean => typeof one !== 'object' && one !== '';
  const isSaid = encoding.get(name)?.style === 'deepObject';
  return isSaid && inner.length === 1 && Object.keys(member).length > 0 && Object.values(member).every(isText);
}

function isFormValue(member: unknown): boolean {
  if (Array.isArray(member))
    return member.length > 0 && member.every((item) => typeof item !== 'object' && item !== '');
  return typeof member !== 'object' && member !== '';
}

/** The values that a header or parameter text can stand for. */
function readings(text: string): unknown[] {
  const number = text.trim() === '' ? NaN : Number(text);
  const items = text.split(',').map((item) => item.trim());
  const numbers = items.map(Number);
  return [
    text,
    ...(Number.isNaN(number) ? [] : [number]),
    ...(/^(?:true|false)$/i.test(text) ? [text.toLowerCase() === 'true'] : []),
    ...(text === 'null' || text === '' ? [null] : []),
    items,
    ...(numbers.some((item) => Number.isNaN(item)) ? [] : [numbers]),
  ];
}

/** Whether the schema accepts the text in any of its readings. */
function acceptsText(
  text: string,
  schema: Schema,
  context: { readonly api: Api; readonly direction: Direction },
): boolean {
  const validate = compileValidator(context.api, schema, { direction: context.direction });
  return readings(text).some((value) => validate(value).length === 0);
}
