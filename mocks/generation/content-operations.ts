import { type Call, cutPage, type HandlerResponse } from 'specmill/mock';

import type { GenerationOperations } from '../../generated/generation/types.js';
import { generate, toResponse } from './generate.js';
import { findModel, listModels as allModels } from './models.js';
import { prepareRequest } from './prepare-request.js';
import { notFound, refuse } from './refusal.js';
import { toEvents, toPieces } from './stream.js';
import { sumTokens, toDetails } from './tokens.js';

type ContentCall<Name extends keyof GenerationOperations> = Call<GenerationOperations[Name]>;

export async function generateContent(call: ContentCall<'generateContent'>): Promise<HandlerResponse> {
  const target = { modelId: call.input.path.model, method: 'generateContent' } as const;
  const generation = generate(call, await prepareRequest(call, call.input.body, target));
  if (generation.error !== undefined) throw generation.error;
  return call.respond(200, toResponse(generation));
}

export async function streamGenerateContent(call: ContentCall<'streamGenerateContent'>): Promise<HandlerResponse> {
  const target = { modelId: call.input.path.model, method: 'streamGenerateContent' } as const;
  const generation = generate(call, await prepareRequest(call, call.input.body, target));
  // The media type is explicit, because clients request the stream with `alt` rather than `Accept`.
  if (call.input.query?.alt === 'sse') {
    const latencyMs = Number(call.options['latencyMs'] ?? 0);
    return call.respond(
      200,
      { kind: 'events', events: toEvents(generation, latencyMs) },
      { 'content-type': 'text/event-stream' },
    );
  }
  if (generation.error !== undefined) throw generation.error;
  return call.respond(200, [...toPieces(generation)], { 'content-type': 'application/json' });
}

export async function countPromptTokens(call: ContentCall<'countTokens'>): Promise<HandlerResponse> {
  const { contents, generateContentRequest } = call.input.body;
  const request = generateContentRequest ?? { contents: contents ?? [] };
  const target = { modelId: call.input.path.model, method: 'countTokens' } as const;
  const { tokens } = await prepareRequest(call, request, target);
  const cached = sumTokens(tokens.cached);
  return call.respond(200, {
    totalTokens: sumTokens(tokens.prompt),
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    promptTokensDetails: toDetails(tokens.prompt),
    ...(cached > 0 ? { cacheTokensDetails: toDetails(tokens.cached) } : {}),
  });
}

/** Lists the models. A page size of 0 means the default; one above the maximum is reduced. */
export function listModels(call: ContentCall<'listModels'>): HandlerResponse {
  const { pageSize = 0, pageToken } = call.input.query ?? {};
  const models = allModels(call.clock.now()).map((model, rank) => ({ model, rank }));
  const size = pageSize === 0 ? 50 : Math.min(pageSize, 1_000);
  const page = cutPage(models, { size, token: pageToken, list: 'models', keyOf: ({ rank }) => rank });
  if (page === undefined) throw refuse('The page token is not valid.');
  return call.respond(200, {
    models: page.items.map(({ model }) => model),
    ...(page.nextToken === undefined ? {} : { nextPageToken: page.nextToken }),
  });
}

export function getModel(call: ContentCall<'getModel'>): HandlerResponse {
  const { model: id } = call.input.path;
  const model = findModel(id, call.clock.now());
  if (model === undefined) throw notFound(`Model models/${id}`);
  return call.respond(200, model);
}
