import type { Content, ContextWindowCompressionConfig } from '../../../generated/generation/types.js';
import { countTokens, sumTokens } from '../tokens.js';

const TRIGGER_TOKENS = 100_000;

/** Drops the oldest turns once the context is past its length, until it is as small as it is to be; the last turn stays. */
export function compressContext(
  history: readonly Content[],
  { triggerTokens = TRIGGER_TOKENS, slidingWindow = {} }: ContextWindowCompressionConfig,
): Content[] {
  const sizes = history.map((content) => sumTokens(countTokens([content], () => undefined)));
  let total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= Number(triggerTokens)) return [...history];
  const target = Number(slidingWindow.targetTokens ?? Number(triggerTokens) / 2);
  let first = 0;
  while (total > target && first < history.length - 1) {
    total -= sizes[first] ?? 0;
    first += 1;
  }
  return history.slice(first);
}
