import { randomUUID } from 'node:crypto';

import { findParameter } from '../../model/find-parameter.js';
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
  /** @throws HttpError if the spec does not document the requested status, example or media type. */
  readonly select: (compiled: CompiledOperation, exchange: Exchange) => ExchangeResponse;
}

/** Reads the client's preferences from `Prefer` or from Prism's query parameters. */
export function preferenceOf({ request, target, compiled }: Exchange): Preference | undefined {
  const operation = compiled?.operation ?? { parameters: [] };
  return readPreference(
    readHeader(request, 'prefer'),
    target.query,
    (name) => findParameter(operation, 'query', name) !== undefined,
  );
}

/**
 * Creates the step that makes responses from the spec. Prism's mocker selects the response, its media type and its
 * example. A body without an example is generated from the schema, like fixtures. An invalid example is repaired.
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
  /**
   * The same request gets the same values, unless it creates something, or asks for `dynamic` values without a seed.
   */
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

/** Finds the operations that create items. Their responses get new ids in each call, even without state. */
function findCreations(api: Api): ReadonlySet<Operation> {
  return new Set(findResources(api).flatMap(({ create }) => create ?? []));
}

/** Returns the same value for a creation that is repeated with the same idempotency key. */
async function drawFor(exchange: Exchange): Promise<string> {
  const { request, sandbox, caller = ANONYMOUS } = exchange;
  const key = readHeader(request, 'idempotency-key') ?? readHeader(request, 'x-idempotency-key');
  return ` ${key ?? (await sandbox.contextFor(caller)).random.uuid()}`;
}

/** The response if `responses` is missing (OpenAPI 3.1). */
const NO_CONTENT: ExchangeResponse = { status: 204, headers: {}, body: undefined, refusal: false, exempt: true };
