import { setTimeout as wait } from 'node:timers/promises';

import type { HttpError } from 'specmill/mock';

import type { Candidate, GenerateContentResponse, Part } from '../../generated/generation/types.js';
import { type Generation, type PlannedCandidate, toResponse, usageOf } from './generate.js';
import { splitTokens } from './tokens.js';

/** Tokens of one event; more if a text would need too many events. */
const TOKENS_PER_EVENT = 4;
const MAX_EVENTS = 64;

/** A piece of a candidate in one event. */
type Piece = Candidate & { readonly index: number };

/**
 * Splits the response into pieces, whose texts add up to the whole text of each candidate. The usage grows with each
 * piece and ends with the totals.
 */
export function* toPieces(generation: Generation): Generator<GenerateContentResponse> {
  const { candidates, promptFeedback, frame } = generation;
  if (promptFeedback !== undefined) {
    yield toResponse(generation);
    return;
  }
  const split = candidates.map(splitCandidate);
  const sent: Part[] = [];
  const count = Math.max(...split.map(({ length }) => length));
  for (let step = 0; step < count; step += 1) {
    const pieces = split.flatMap((all) => all[step] ?? []);
    sent.push(...pieces.flatMap(({ content }) => content?.parts ?? []));
    const all = step === count - 1 ? candidates.flatMap(({ parts }) => parts) : sent;
    yield { candidates: pieces, usageMetadata: usageOf(generation, all), ...frame };
  }
}

function splitCandidate({ index, parts, ending }: PlannedCandidate): Piece[] {
  const single = parts.flatMap(splitPart);
  const pieces = (single.length === 0 ? [undefined] : single).map((part): Piece => ({
    content: { role: 'model', parts: part === undefined ? [] : [part] },
    index,
  }));
  return pieces.map((piece, place) => (place === pieces.length - 1 ? { ...piece, ...ending } : piece));
}

function splitPart(part: Part): Part[] {
  if (part.text === undefined) return [part];
  const tokens = splitTokens(part.text);
  const size = Math.max(TOKENS_PER_EVENT, Math.ceil(tokens.length / MAX_EVENTS));
  if (tokens.length <= size) return [part];
  const groups = Array.from({ length: Math.ceil(tokens.length / size) }, (_none, at) =>
    tokens.slice(at * size, (at + 1) * size).join(''),
  );
  return groups.map((text) => ({ ...part, text }));
}

/**
 * Sends the pieces as events. If the prompt requests a failure, its error follows the first piece and ends the stream.
 *
 * @param latencyMs - the time before each piece except the first, in milliseconds of real time.
 */
export async function* toEvents(generation: Generation, latencyMs: number): AsyncGenerator<{ readonly data: unknown }> {
  let isFirst = true;
  for (const data of toPieces(generation)) {
    if (!isFirst && generation.error !== undefined) {
      yield { data: toErrorBody(generation.error) };
      return;
    }
    if (!isFirst && latencyMs > 0) await wait(latencyMs);
    isFirst = false;
    yield { data };
  }
  if (generation.error !== undefined) yield { data: toErrorBody(generation.error) };
}

function toErrorBody({ status, message }: HttpError): object {
  return { error: { code: status, message, status: status === 503 ? 'UNAVAILABLE' : 'INTERNAL' } };
}
