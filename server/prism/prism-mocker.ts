import type { IPrismComponents, IPrismProxyConfig } from '@stoplight/prism-core';
import type { IHttpResponse } from '@stoplight/prism-http';

import { getOrInsert } from '../../model/maps.js';
import type { Api, Operation } from '../../model/api.js';
import type { ResponseBody, HeaderMap } from '../../http/messages.js';
import type { HandlerResponse } from '../handler-api.js';
import { isTextKind, kindOf, parseMediaType } from '../../runtime/parsed-media-type.js';
import { acceptedMediaTypes, refuseAccept } from '../../http/response/content-negotiation.js';
import { HttpError } from '../../http/http-error.js';
import { type PrismMock, loadPrismMock } from './load-prism.js';
import type { Preference } from './prefer.js';
import { toHttpOperation } from './to-http-operation.js';

export interface MockerCall {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly accept: string | undefined;
  readonly preference: Preference | undefined;
}

/** Selects a response, its media type and its example with Prism's mocker. @throws HttpError */
export type AskMocker = (call: MockerCall) => HandlerResponse;

/** The methods that Prism knows. Its mocker never uses the method. */
type PrismMethod = Parameters<PrismMock>[0]['input']['data']['method'];

/** Creates Prism's mocker for an API. Loads Prism on first use. */
export async function createPrismMocker(api: Api): Promise<AskMocker> {
  const mock = await loadPrismMock();
  const operations = new Map<Operation, ReturnType<typeof toHttpOperation>>();
  return (call) => {
    const { operation } = call;
    const resource = getOrInsert(operations, operation, () => toHttpOperation(api, operation));
    const result = mock({
      resource,
      input: {
        validations: [],
        data: { method: operation.method as PrismMethod, url: { path: call.path }, headers: {} },
      },
      config: configOf(call, resource),
    })(SILENT);
    if (result._tag === 'Left') throw toRefusal(result.left, documentedTypes(resource));
    return toResponse(result.right);
  };
}

/** Makes a new configuration for each call, because Prism writes the caller's `Accept` into it. */
function configOf(
  { accept, preference }: MockerCall,
  resource: ReturnType<typeof toHttpOperation>,
): Parameters<PrismMock>[0]['config'] {
  const mediaTypes = accept === undefined ? undefined : acceptedMediaTypes(accept, documentedTypes(resource));
  return {
    // Our generator makes dynamic values: Prism's is slow and fails on some schemas.
    dynamic: false,
    ...(mediaTypes === undefined ? {} : { mediaTypes: [...mediaTypes] }),
    ...(preference?.code === undefined ? {} : { code: preference.code }),
    ...(preference?.example === undefined ? {} : { exampleKey: preference.example }),
  };
}

function documentedTypes({ responses }: ReturnType<typeof toHttpOperation>): readonly string[] {
  return [...new Set(responses.flatMap(({ contents = [] }) => contents.map(({ mediaType }) => mediaType)))];
}

function toRefusal(
  error: Error & { readonly status?: unknown; readonly detail?: unknown },
  documented: readonly string[],
): HttpError {
  const status = typeof error.status === 'number' && error.status >= 400 && error.status <= 599 ? error.status : 500;
  const message = typeof error.detail === 'string' && error.detail !== '' ? error.detail : error.message;
  if (status === 406) return refuseAccept(documented);
  const violations = status < 500 ? [] : [{ in: 'response', pointer: '', message } as const];
  return new HttpError(status, message, { violations });
}

/** Prism returns one header, the media type of the body. */
function toResponse({ statusCode, headers = {}, body }: IHttpResponse): HandlerResponse {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const known: HeaderMap = type === undefined || body === undefined ? {} : { 'content-type': type };
  return {
    status: statusCode,
    body: body === undefined ? undefined : toBody(body, known['content-type']),
    headers: known,
    refusal: false,
  };
}

function toBody(body: unknown, contentType: HeaderMap[string]): ResponseBody {
  const parsed = typeof contentType === 'string' ? parseMediaType(contentType) : undefined;
  if (parsed?.essence === 'text/event-stream') return { kind: 'events', events: eventsOf(body) };
  if (typeof body !== 'string' || parsed === undefined || kindOf(parsed) === 'json')
    return { kind: 'json', value: body };
  return isTextKind(kindOf(parsed)) ? { kind: 'text', text: body } : { kind: 'bytes', bytes: Buffer.from(body) };
}

async function* eventsOf(body: unknown): AsyncIterable<{ readonly data: unknown }> {
  for (const data of Array.isArray(body) ? body : [body]) yield { data };
}

type Logger = IPrismComponents<unknown, unknown, unknown, IPrismProxyConfig>['logger'];

function ignore(): void {
  // Prism logs every step; the journal of the mock records what happened.
}

/** A silent logger. Prism creates a child of it in each call. */
const silent = {
  fatal: ignore,
  error: ignore,
  warn: ignore,
  info: ignore,
  success: ignore,
  debug: ignore,
  trace: ignore,
  child: () => silent,
};
export const SILENT: Logger = silent;
