import type { HandlerContext } from 'specmill/mock';

import type { Content, GenerateContentRequest, GenerationConfig, Model } from '../../generated/generation/types.js';
import { findCache, type StoredCache } from './cached-contents.js';
import { checkFiles } from './files.js';
import { combinationsOf, findModel, type Method, useModel } from './models.js';
import { refuse, refuseAt } from './refusal.js';
import { addTokens, contentsOf, countPrompt, type PromptTokens, sumTokens, type TokenCounts } from './tokens.js';

/** A request that is ready to be handled, including cached content. */
export interface PreparedRequest {
  readonly model: Model;
  readonly request: GenerateContentRequest;
  readonly tokens: PromptTokens;
}

/**
 * Checks a request against its model, its files and its cached content, and counts its tokens.
 *
 * @throws HttpError
 */
export async function prepareRequest(
  context: HandlerContext,
  request: GenerateContentRequest,
  { modelId, method }: { readonly modelId: string; readonly method: Method },
): Promise<PreparedRequest> {
  const model = useModel(modelId, method, context.clock.now());
  checkConfig(model, request.generationConfig ?? {});
  const own = countPrompt(request, await checkFiles(context, contentsOf(request)));
  const cache = await useCache(context, request, model);
  const cached: TokenCounts = new Map(cache?.tokens ?? []);
  const prompt = addTokens(own, cached);
  const limit = model.inputTokenLimit ?? Infinity;
  if (sumTokens(prompt) > limit)
    throw refuse(`The prompt has ${sumTokens(prompt)} tokens, and model ${model.name} takes ${limit} at most.`);
  return { model, request: cache === undefined ? request : withCache(request, cache), tokens: { prompt, cached } };
}

async function useCache(
  context: HandlerContext,
  { cachedContent }: GenerateContentRequest,
  model: Model,
): Promise<StoredCache | undefined> {
  if (cachedContent === undefined) return undefined;
  const cache = await findCache(context, cachedContent.slice('cachedContents/'.length));
  // Both may name the model by its version.
  if (findModel(cache.model, context.clock.now())?.name === model.name) return cache;
  throw refuse(`${cachedContent} was made for ${cache.model} and cannot be used with ${model.name}.`);
}

function withCache(request: GenerateContentRequest, { context = {} }: StoredCache): GenerateContentRequest {
  const contents: Content[] = [...(context.contents ?? []), ...request.contents];
  const tools = [...(context.tools ?? []), ...(request.tools ?? [])];
  const toolConfig = request.toolConfig ?? context.toolConfig;
  return { ...request, contents, tools, ...(toolConfig === undefined ? {} : { toolConfig }) };
}

interface Rule {
  /** The sentence of the seed document or the spec. */
  readonly sentence: string;
  readonly pointer: string;
  /** Returns the reason of the refusal, to follow the name of the model. */
  readonly find: (model: Model, config: GenerationConfig) => string | undefined;
}

/** Combinations of settings and models that are refused. */
const RULES: readonly Rule[] = [
  {
    sentence: 'responseModalities: must match a supported combination, otherwise an error. Empty means text only.',
    pointer: '/generationConfig/responseModalities',
    find: (model, { responseModalities: wanted = [] }) => {
      const asked = new Set(wanted);
      const fits = combinationsOf(model).some(
        (one) => one.length === asked.size && one.every((modality) => asked.has(modality)),
      );
      return wanted.length === 0 || fits ? undefined : `does not support the response modalities ${wanted.join(', ')}`;
    },
  },
  {
    sentence: 'thinkingConfig causes an error on models that do not support it.',
    pointer: '/generationConfig/thinkingConfig',
    find: ({ thinking }, { thinkingConfig }) =>
      thinkingConfig !== undefined && thinking !== true ? 'does not support thinkingConfig' : undefined,
  },
  {
    sentence: 'imageConfig causes an error on models that do not support it.',
    pointer: '/generationConfig/imageConfig',
    find: (model, { imageConfig }) => {
      const makesImages = combinationsOf(model).some((one) => one.includes('IMAGE'));
      return imageConfig !== undefined && !makesImages ? 'does not support imageConfig' : undefined;
    },
  },
  {
    sentence: 'topK: not allowed for models that use nucleus sampling only (those without topK).',
    pointer: '/generationConfig/topK',
    find: (model, { topK }) => (topK !== undefined && model.topK === undefined ? 'does not support topK' : undefined),
  },
  {
    sentence: 'candidateCount: the mock returns at most 128 (x-assumption).',
    pointer: '/generationConfig/candidateCount',
    find: (_model, { candidateCount = 1 }) =>
      candidateCount > 128 ? 'does not support more than 128 candidates' : undefined,
  },
];

/** @throws HttpError if the model does not allow a setting. */
export function checkConfig(model: Model, config: GenerationConfig): void {
  for (const { pointer, find } of RULES) {
    const problem = find(model, config);
    if (problem !== undefined) throw refuseAt(`Model ${model.name} ${problem}.`, pointer, `model ${problem}`);
  }
}
