import type { FinishReason, GenerationConfig } from '../../generated/generation/types.js';
import { splitTokens } from './tokens.js';

/** A text as far as it is generated, and why it ends there. */
export interface LimitedText {
  readonly text: string;
  readonly finishReason: FinishReason & ('STOP' | 'MAX_TOKENS');
}

/** How far a repetition goes where no limit is asked for. Tokens. */
const MAX_REPEATED = 4_096;

/** Ends a text before the first stop sequence, or at the limit of tokens, whichever comes first. */
export function limitText(text: string, config: GenerationConfig, outputTokenLimit: number): LimitedText {
  const limit = Math.min(config.maxOutputTokens ?? Infinity, outputTokenLimit);
  const written = isRepetitive(config) ? repeat(text, Math.min(limit, MAX_REPEATED) + 1) : text;
  const stops = (config.stopSequences ?? [])
    .map((stop) => (stop === '' ? -1 : written.indexOf(stop)))
    .filter((place) => place >= 0);
  const stopped = stops.length === 0 ? written : written.slice(0, Math.min(...stops));
  const tokens = splitTokens(stopped);
  return tokens.length > limit
    ? { text: tokens.slice(0, limit).join(''), finishReason: 'MAX_TOKENS' }
    : { text: stopped, finishReason: 'STOP' };
}

/** Large negative values cause repetition until maxOutputTokens. */
function isRepetitive({ frequencyPenalty = 0 }: GenerationConfig): boolean {
  return frequencyPenalty <= -1;
}

function repeat(text: string, tokens: number): string {
  const one = `${text} `;
  return one.repeat(Math.ceil(tokens / Math.max(1, splitTokens(one).length - 1)));
}
