import type { LogprobsCandidate, LogprobsResult } from '../../generated/generation/types.js';
import { numberOf } from './random-of.js';

/** The log probabilities of the tokens of a candidate: made up, the same for the same tokens, the chosen token the most probable. */
export function makeLogprobs(
  tokens: readonly string[],
  top: number,
  seed: number,
): { readonly avgLogprobs: number; readonly logprobsResult: LogprobsResult } {
  const chosen = tokens.map((token, step) => describe(token, -round((numberOf(seed, step, token) % 600) / 1_000)));
  const sum = round(chosen.reduce((total, { logProbability = 0 }) => total + logProbability, 0));
  const logprobsResult: LogprobsResult = { logProbabilitySum: sum, chosenCandidates: chosen };
  if (top > 0)
    logprobsResult.topCandidates = chosen.map((first, step) => ({
      candidates: [first, ...others(first, step, { top, seed })],
    }));
  return { avgLogprobs: chosen.length === 0 ? 0 : round(sum / chosen.length), logprobsResult };
}

function others(
  { token = '', logProbability = 0 }: LogprobsCandidate,
  step: number,
  { top, seed }: { readonly top: number; readonly seed: number },
): LogprobsCandidate[] {
  return Array.from({ length: top - 1 }, (_none, rank) => {
    const word = `${token.startsWith(' ') ? ' ' : ''}${numberOf(seed, step, token, rank).toString(36)}`;
    return describe(word, round(logProbability - 1 - rank));
  });
}

function describe(token: string, logProbability: number): LogprobsCandidate {
  return { token, tokenId: numberOf(token) % 256_000, logProbability };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6 || 0;
}
