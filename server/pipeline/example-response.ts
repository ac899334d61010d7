import { findParameter } from '../../model/find-parameter.js';
import { randomUUID } from 'node:crypto';

import { readHeader } from '../../http/messages.js';
import type { Api, Operation } from '../../model/api.js';
import { ANONYMOUS } from '../../http/credentials/authenticate.js';
import { findResources } from '../../resources/find-resources.js';
import { readAccept } from '../../http/response/content-negotiation.js';
import { readAlias } from '../../http/response/response-spec.js';
import { type Preference, readPreference } from '../prism/prefer.js';
import type { AskMocker } from '../prism/prism-mocker.js';
import { finalResponses } from '../prism/to-http-operation.js';
import type { CompiledOperation } from './compiled-operation.js';
import type { Exchange, ExchangeResponse } from './exchange.js';
import { completeResponse, listTarget, undocumentedSuccess } from './made-up-response.js';
import type { PipelineOptions } from './pipeline-options.js';

export interface ExampleStep {
  /** Must be awaited before each `select`. */
  readonly prepare: (compiled: CompiledOperation, exchange: Exchange) => Promise<void>;
  /** @throws HttpError if the spec has no such response: a status, an example or a media type that it does not document */
  readonly select: (compiled: CompiledOperation, exchange: Exchange) => ExchangeResponse;
}

/** The preferences of the client by `Prefer`, or by the query parameters of Prism. */
export function preferenceOf({ request, target, compiled }: Exchange): Preference | undefined {
  const operation = compiled?.operation ?? { parameters: [] };
  return readPreference(
    readHeader(request, 'prefer'),
    target.query,
    (name) => findParameter(operation, 'query', name) !== undefined,
  );
}

/**
 * Prism's mocker selects the response, its media type and its example. A body without an example is made from the schema by
 * the generator of the fixtures; an example that its schema refuses is repaired.
 */
export function createExampleStep({ api, options }: PipelineOptions): ExampleStep {
  let mocker: AskMocker | undefined;
  const alias = readAlias(api);
  const acceptOf = ({ request }: Exchange): string | undefined => {
    const accept = readHeader(request, 'accept');
    // Prism does not know the alias of a media type.
    return alias !== undefined && readAccept(accept)(alias, alias) > 0 ? undefined : accept;
  };
  let creations: ReadonlySet<Operation> | undefined;
  /** The same request has the same values, unless it creates something, or `dynamic` asks for new ones and no seed is given. */
  const seedOf = ({ request, draw }: Exchange, { operation }: CompiledOperation, isDynamic: boolean): string =>
    options.seed === undefined && isDynamic
      ? randomUUID()
      : `${options.seed ?? 1} ${operation.id} ${listTarget(request.target, operation, api)}${draw}`;

  return {
    prepare: async ({ operation }, exchange) => {
      if (mocker === undefined) {
        const { createPrismMocker } = await import('../prism/prism-mocker.js');
        const created = await createPrismMocker(api);
        mocker ??= created;
      }
      creations ??= findCreations(api);
      if (creations.has(operation) && preferenceOf(exchange) === undefined) exchange.draw = await drawFor(exchange);
    },
    select: (compiled, exchange) => {
      if (mocker === undefined) throw new Error('The mocker is asked before it is loaded.');
      const { operation } = compiled;
      if (finalResponses(operation).length === 0) return NO_CONTENT;
      const preference = preferenceOf(exchange);
      const silent = preference === undefined ? undocumentedSuccess(operation) : undefined;
      if (silent !== undefined) return silent;
      const { method } = exchange.request;
      const call = { operation, method, path: exchange.target.path, accept: acceptOf(exchange), preference };
      const selected = { ...mocker(call), exempt: preference !== undefined };
      const seed = seedOf(exchange, compiled, preference?.dynamic === true);
      return completeResponse(selected, { api, compiled, exchange, preference, seed });
    },
  };
}

/** Two things that are created have two ids, although no item is kept of which they would be the next. */
function findCreations(api: Api): ReadonlySet<Operation> {
  return new Set(findResources(api).flatMap(({ create }) => create ?? []));
}

/** A creation that is repeated with its idempotency key is the same. */
async function drawFor(exchange: Exchange): Promise<string> {
  const { request, sandbox, caller = ANONYMOUS } = exchange;
  const key = readHeader(request, 'idempotency-key') ?? readHeader(request, 'x-idempotency-key');
  return ` ${key ?? (await sandbox.contextFor(caller)).random.uuid()}`;
}

/** `responses` may be missing (OpenAPI 3.1). */
const NO_CONTENT: ExchangeResponse = { status: 204, headers: {}, body: undefined, refusal: false, exempt: true };
