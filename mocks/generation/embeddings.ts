import type { Call, HandlerContext, HandlerResponse } from 'specmill/mock';

import type { ContentEmbedding, EmbedContentRequest, GenerationOperations } from '../../generated/generation/types.js';
import { type Method, useModel } from './models.js';
import { refuse, refuseAt } from './refusal.js';
import { splitTokens } from './tokens.js';

const DEFAULT_DIMENSIONS = 768;
/** Each word changes this many dimensions. */
const SPREAD = 8;

export function embedContent(call: Call<GenerationOperations['embedContent']>): HandlerResponse {
  const target = { id: call.input.path.model, method: 'embedContent', at: '' } as const;
  return call.respond(200, { embedding: embed(call, call.input.body, target) });
}

export function batchEmbedContents(call: Call<GenerationOperations['batchEmbedContents']>): HandlerResponse {
  const target = { id: call.input.path.model, method: 'batchEmbedContents' } as const;
  const embeddings = call.input.body.requests.map((request, index) =>
    embed(call, request, { ...target, at: `/requests/${index}` }),
  );
  return call.respond(200, { embeddings });
}

interface Target {
  readonly id: string;
  readonly method: Method;
  /** The place of the request in the body. */
  readonly at: string;
}

function embed({ clock }: HandlerContext, request: EmbedContentRequest, { id, method, at }: Target): ContentEmbedding {
  const { model, content, title = '', outputDimensionality = DEFAULT_DIMENSIONS } = request;
  const used = useModel(id, method, clock.now());
  if (model !== undefined && useModel(model, method, clock.now()).name !== used.name) {
    throw refuseAt(`${model} is not the model of the path.`, `${at}/model`, `must be ${used.name}`);
  }
  const texts = (content.parts ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));
  if (texts.length === 0) throw refuseAt('The content has no text.', `${at}/content`, 'must have a text');
  const tokens = splitTokens([title, ...texts].join(' ').toLowerCase());
  const limit = used.inputTokenLimit ?? Infinity;
  if (tokens.length > limit)
    throw refuse(`The content has ${tokens.length} tokens, and model ${used.name} takes ${limit} at most.`);
  return { values: spread(tokens, outputDimensionality) };
}

/**
 * Adds a fixed pattern for each word, and divides by the length. Texts that share words are close (feature hashing), so
 * a search in a test finds the text with the words of its query.
 */
function spread(tokens: readonly string[], dimensions: number): number[] {
  const values = Array.from({ length: dimensions }, () => 0);
  for (const token of tokens) {
    const word = token.trim();
    for (let round = 0; round < SPREAD; round += 1) {
      const hash = hashText(`${round} ${word}`);
      const index = (hash >>> 1) % dimensions;
      values[index] = (values[index] ?? 0) + ((hash & 1) === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...values);
  // A text without words, or whose words cancel each other, has the first axis.
  if (length === 0) return values.map((_, index) => (index === 0 ? 1 : 0));
  return values.map((value) => Math.fround(value / length));
}

/** FNV-1a over the UTF-16 units, with a final mix so that all bits depend on all characters. */
function hashText(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
