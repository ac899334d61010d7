import type { HandlerContext } from 'specmill/mock';

import type { Content, GenerateContentRequest, Model } from '../../generated/generation/types.js';
import { type StoredCache, findCache } from './cached-contents.js';
import { checkFiles } from './files.js';
import { type Method, findModel, useModel } from './models.js';
import { refuse } from './refusal.js';
import { checkConfig } from './rules.js';
import { type TokenCounts, addTokens, countTokens, splitTokens, sumTokens } from './tokens.js';
import type { PromptTokens } from './usage.js';

/** A request that may be answered: cached content is part of it. */
export interface PreparedRequest {
  readonly model: Model;
  readonly request: GenerateContentRequest;
  readonly tokens: PromptTokens;
}

/** Where a request goes. */
export interface RequestTarget {
  readonly modelId: string;
  readonly method: Method;
  /** The host of the service, for the URIs of its files. */
  readonly host: string;
}

/**
 * Checks a request against its model, its files and its cached content, and counts its tokens.
 *
 * @throws HttpError
 */
export async function prepareRequest(
  context: HandlerContext,
  request: GenerateContentRequest,
  { modelId, method, host }: RequestTarget,
): Promise<PreparedRequest> {
  const model = useModel(modelId, method, context.clock.now());
  checkConfig(model, request.generationConfig ?? {});
  const spoken = [...(request.systemInstruction === undefined ? [] : [request.systemInstruction]), ...request.contents];
  const own = addTokens(countTokens(spoken, await checkFiles(context, spoken, host)), countTools(request));
  const cache = await useCache(context, request, model);
  const cached: TokenCounts = new Map(cache?.tokens ?? []);
  const prompt = addTokens(own, cached);
  const limit = model.inputTokenLimit ?? Infinity;
  if (sumTokens(prompt) > limit)
    throw refuse(`The prompt has ${sumTokens(prompt)} tokens, and model ${model.name} takes ${limit} at most.`);
  return { model, request: cache === undefined ? request : withCache(request, cache), tokens: { prompt, cached } };
}

function countTools({ tools }: GenerateContentRequest): TokenCounts {
  return new Map(
    tools === undefined || tools.length === 0 ? [] : [['TEXT', splitTokens(JSON.stringify(tools)).length]],
  );
}

async function useCache(
  context: HandlerContext,
  { cachedContent }: GenerateContentRequest,
  model: Model,
): Promise<StoredCache | undefined> {
  if (cachedContent === undefined) return undefined;
  const cache = await findCache(context, cachedContent.slice('cachedContents/'.length));
  // Both may name the model by its version.
  if (findModel(cache.record.model, context.clock.now())?.name === model.name) return cache;
  throw refuse(`${cachedContent} was made for ${cache.record.model} and cannot be used with ${model.name}.`);
}

function withCache(request: GenerateContentRequest, { context }: StoredCache): GenerateContentRequest {
  const contents: Content[] = [...(context.contents ?? []), ...request.contents];
  const tools = [...(context.tools ?? []), ...(request.tools ?? [])];
  const toolConfig = request.toolConfig ?? context.toolConfig;
  return { ...request, contents, tools, ...(toolConfig === undefined ? {} : { toolConfig }) };
}
