import { numberOf } from 'specmill/mock';

import type {
  BlobModel,
  FinishReason,
  GenerationConfig,
  LogprobsCandidate,
  LogprobsResult,
} from '../../generated/generation/types.js';
import { splitTokens } from './tokens.js';

interface LimitedText {
  readonly text: string;
  readonly finishReason: FinishReason & ('STOP' | 'MAX_TOKENS');
}

/** How long a repetition is if no limit is requested, in tokens. */
const MAX_REPEATED = 4_096;

/** Ends a text before the first stop sequence or at the token limit, whichever comes first. */
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

/** Whether the penalty is so negative that the text repeats until maxOutputTokens. */
function isRepetitive({ frequencyPenalty = 0 }: GenerationConfig): boolean {
  return frequencyPenalty <= -1;
}

function repeat(text: string, tokens: number): string {
  const one = `${text} `;
  return one.repeat(Math.ceil(tokens / Math.max(1, splitTokens(one).length - 1)));
}

/**
 * Makes up the log probabilities of a candidate's tokens: the same for the same tokens, with the chosen token the most
 * probable.
 */
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

/** A PNG image of one pixel. */
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const AUDIO_TYPE = 'audio/L16;codec=pcm;rate=24000';
/** Samples for each character: a hundredth of a second. */
const SAMPLES_PER_CHARACTER = 240;
const MAX_CHARACTERS = 500;

export function makeImage(): BlobModel {
  return { mimeType: 'image/png', data: IMAGE };
}

/** Speech: a tone whose pitch follows the characters of the text, 16 bit PCM at 24 kHz. */
export function makeSpeech(text: string, mimeType: string = AUDIO_TYPE): BlobModel {
  const characters = [...text].slice(0, MAX_CHARACTERS);
  const samples = new Int16Array(characters.length * SAMPLES_PER_CHARACTER);
  characters.forEach((character, place) => {
    const period = 20 + ((character.codePointAt(0) ?? 0) % 100);
    for (let index = 0; index < SAMPLES_PER_CHARACTER; index += 1) {
      samples[place * SAMPLES_PER_CHARACTER + index] = index % period < period / 2 ? 6_000 : -6_000;
    }
  });
  return { mimeType, data: Buffer.from(samples.buffer).toString('base64') };
}
