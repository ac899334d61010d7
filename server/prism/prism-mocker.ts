import { createRequire } from 'node:module';

import type { IHttpResponse, PrismHttpComponents } from '@stoplight/prism-http';
import { isLeft } from 'fp-ts/lib/Either.js';

import type { Api, Operation } from '../../model/api.js';
import type { AnswerBody, HeaderMap } from '../../http/messages.js';
import type { HandlerResponse } from '../handler-api.js';
import { kindOf, parseMediaType } from '../../http/media-type.js';
import { acceptedMediaTypes } from '../../http/response/accept.js';
import { HttpError } from '../../http/http-error.js';
import { type Preference } from './prefer.js';
import { SILENT } from './prism-pipeline.js';
import { toHttpOperation } from './to-http-operation.js';

export interface MockerCall {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly accept: string | undefined;
  readonly preference: Preference | undefined;
  /** Of values that are made up. */
  readonly seed: string;
}

/** Prism's mocker for one API: an example of the document, or a value made of the schema. @throws HttpError */
export type AskMocker = (call: MockerCall) => HandlerResponse;

type Mock = PrismHttpComponents['mock'];
/** Prism knows no other methods; its mocker never looks at the method. */
type PrismMethod = Parameters<Mock>[0]['input']['data']['method'];

let loaded: Mock | undefined;

/** Loads the mocker: 0.6 seconds and 137 MB, so not before it is needed. CommonJS, whose default export importers see in two ways. */
function loadMock(): Mock {
  loaded ??= (
    createRequire(import.meta.url)('@stoplight/prism-http/dist/mocker/index.js') as { readonly default: Mock }
  ).default;
  return loaded;
}

export function createPrismMocker(api: Api): AskMocker {
  const mock = loadMock();
  const operations = new Map<Operation, ReturnType<typeof toHttpOperation>>();
  return (call) => {
    const { operation } = call;
    const resource = operations.get(operation) ?? toHttpOperation(api, operation);
    operations.set(operation, resource);
    const result = mock({
      resource,
      input: {
        validations: [],
        data: { method: operation.method as PrismMethod, url: { path: call.path }, headers: {} },
      },
      config: configOf(call),
    })(SILENT);
    if (isLeft(result)) throw toRefusal(result.left);
    return toReply(result.right);
  };
}

/** A fresh one for each call: Prism writes the first caller's `Accept` into it. */
function configOf({ accept, preference, seed }: MockerCall): Parameters<Mock>[0]['config'] {
  const mediaTypes = acceptedMediaTypes(accept);
  return {
    dynamic: preference?.dynamic ?? false,
    seed,
    ...(mediaTypes === undefined ? {} : { mediaTypes }),
    ...(preference?.code === undefined ? {} : { code: preference.code }),
    ...(preference?.example === undefined ? {} : { exampleKey: preference.example }),
  };
}

function toRefusal(error: Error & { readonly status?: unknown; readonly detail?: unknown }): HttpError {
  const status = typeof error.status === 'number' && error.status >= 400 && error.status <= 599 ? error.status : 500;
  return new HttpError(status, typeof error.detail === 'string' && error.detail !== '' ? error.detail : error.message);
}

function toReply({ statusCode, headers = {}, body }: IHttpResponse): HandlerResponse {
  const known: [string, string][] = [];
  // Prism gives `null` for a header that it cannot make up.
  for (const [name, value] of Object.entries(headers as Readonly<Record<string, unknown>>)) {
    if (value !== null && value !== undefined)
      known.push([name.toLowerCase(), typeof value === 'string' ? value : JSON.stringify(value)]);
  }
  const map: HeaderMap = Object.fromEntries(known);
  const answer = body === undefined ? undefined : toBody(body, map['content-type']);
  const { 'content-type': type, ...others } = map;
  return {
    status: statusCode,
    body: answer,
    headers: answer === undefined || type === undefined ? others : map,
    refusal: false,
  };
}

function toBody(body: unknown, contentType: HeaderMap[string]): AnswerBody {
  const parsed = typeof contentType === 'string' ? parseMediaType(contentType) : undefined;
  if (parsed?.essence === 'text/event-stream') return { kind: 'events', events: eventsOf(body) };
  if (typeof body !== 'string' || parsed === undefined || kindOf(parsed) === 'json')
    return { kind: 'json', value: body };
  return kindOf(parsed) === 'bytes' ? { kind: 'bytes', bytes: Buffer.from(body) } : { kind: 'text', text: body };
}

async function* eventsOf(body: unknown): AsyncIterable<{ readonly data: unknown }> {
  for (const data of Array.isArray(body) ? body : [body]) yield { data };
}
