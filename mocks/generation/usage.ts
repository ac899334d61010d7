import type { GenerateContentRequest, UsageMetadata } from '../../generated/generation/types.js';
import { type TokenCounts, sumTokens, toDetails } from './tokens.js';

/** The tokens of a prompt; those of cached content are part of it. */
export interface PromptTokens {
  readonly prompt: TokenCounts;
  readonly cached: TokenCounts;
}

/** What a request has used: total = prompt + thoughts + candidates. */
export function toUsage(
  { prompt, cached }: PromptTokens,
  candidates: TokenCounts,
  thoughts: number,
  tier: GenerateContentRequest['serviceTier'],
): UsageMetadata {
  const [promptCount, cachedCount, candidatesCount] = [sumTokens(prompt), sumTokens(cached), sumTokens(candidates)];
  return {
    promptTokenCount: promptCount,
    ...(cachedCount > 0 ? { cachedContentTokenCount: cachedCount } : {}),
    ...(candidatesCount > 0 ? { candidatesTokenCount: candidatesCount } : {}),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    totalTokenCount: promptCount + thoughts + candidatesCount,
    promptTokensDetails: toDetails(prompt),
    ...(cachedCount > 0 ? { cacheTokensDetails: toDetails(cached) } : {}),
    ...(candidatesCount > 0 ? { candidatesTokensDetails: toDetails(candidates) } : {}),
    ...(tier === undefined ? {} : { serviceTier: tier === 'unspecified' ? 'standard' : tier }),
  };
}
