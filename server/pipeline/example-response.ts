import { randomUUID } from 'node:crypto';

import { readHeader } from '../../http/messages.js';
import type { Api, Operation } from '../../model/api.js';
import { ANONYMOUS } from '../../http/credentials/authenticate.js';
import { finderOf } from '../../resources/resource-finder.js';
import { readAccept } from '../../runtime/parsed-media-type.js';
import { isAlias, readAlias } from '../../http/response/response-spec.js';
import type { Preference } from '../prism/prefer.js';
import type { AskMocker } from '../prism/prism-mocker.js';
import { finalResponses } from '../prism/to-http-operation.js';
import { type CompiledOperation, type PipelineCall, type PipelineResponse, preferenceOf } from './pipeline-call.js';
import type { PipelineOptions } from './pipeline-options.js';
import { completeResponse, listTarget, undocumentedSuccess } from './sample-response.js';

/** Makes a response from the spec. @param status - a documented status; default: the best success */
export type RespondByExample = (
  compiled: CompiledOperation,
  call: PipelineCall,
  status?: number,
) => Promise<PipelineResponse>;

/**
 * Creates the function that makes responses from the spec. Prism's mocker selects the response, its media type and its
 * example. A body without an example is generated from the schema, like fixtures. An invalid example is repaired.
 *
 * @throws HttpError if the spec does not document the requested status, example or media type.
 */
export function createExampleResponder({ api, options }: PipelineOptions): RespondByExample {
  let mocker: AskMocker | undefined;
  const alias = readAlias(api);
  const acceptOf = ({ request }: PipelineCall): string | undefined => {
    const accept = readHeader(request, 'accept');
    // Prism does not know the alias of a media type.
    return alias !== undefined && readAccept(accept)(alias, isAlias(alias)) > 0 ? undefined : accept;
  };
  /** The same request gets the same values, unless it creates something, or asks for `dynamic` values without a seed. */
  const seedOf = async (operation: Operation, call: PipelineCall, preference?: Preference): Promise<string> => {
    if (options.seed === undefined && preference?.dynamic === true) return randomUUID();
    const draw = preference === undefined && looksLikeCreation(operation, api) ? await drawFor(call) : '';
    return `${options.seed ?? 1} ${operation.id} ${listTarget(call.request.target, operation, api)}${draw}`;
  };

  return async (compiled, call, status) => {
    const { operation } = compiled;
    const preference = preferenceOf(call);
    if (mocker === undefined) {
      const { createPrismMocker } = await import('../prism/prism-mocker.js');
      mocker ??= await createPrismMocker(api);
    }
    const seed = await seedOf(operation, call, preference);
    if (finalResponses(operation).length === 0) return NO_CONTENT;
    const undocumented = preference === undefined ? undocumentedSuccess(operation) : undefined;
    if (undocumented !== undefined) return undocumented;
    const { method } = call.request;
    const wanted = status === undefined ? preference : { code: status };
    const selected = mocker({ operation, method, path: call.target.path, accept: acceptOf(call), preference: wanted });
    const making = { api, compiled, call, preference, seed };
    return completeResponse({ ...selected, exempt: preference !== undefined }, making);
  };
}

/** Whether the path of an operation says that it creates items. Its responses get new ids in each call, even without state. */
function looksLikeCreation(operation: Operation, api: Api): boolean {
  return finderOf(api)
    .groups.placesOf(operation)
    .some((place) =>
      place.kind === 'verb'
        ? place.call.role === 'create'
        : place.kind === 'own' &&
          place.group.itemPath !== undefined &&
          operation.method === 'post' &&
          place.group.collectionOperations.includes(operation),
    );
}

/** Returns the same value for a creation that is repeated with the same idempotency key. */
async function drawFor({ request, sandbox, caller = ANONYMOUS }: PipelineCall): Promise<string> {
  const key = readHeader(request, 'idempotency-key') ?? readHeader(request, 'x-idempotency-key');
  return ` ${key ?? (await sandbox.contextFor(caller)).random.uuid()}`;
}

/** The response if `responses` is missing (OpenAPI 3.1). */
const NO_CONTENT: PipelineResponse = { status: 204, headers: {}, body: undefined, refusal: false, exempt: true };
