import type { Api, Example, MediaType } from '../../model/api.js';
import { readHeader } from '../../http/messages.js';
import type { Schema } from '../../model/schema-types.js';
import { type ItemCodec, readAllItems } from '../../http/item-codec.js';
import { DecodeError } from '../../runtime/decode-error.js';
import type { ResponseMedia } from '../../http/response/response-spec.js';
import { repairValue } from '../../schema/repair-value.js';
import { generateValue } from '../../schema/generate-value.js';
import { itemValue } from '../../schema/item-value.js';
import { seedFrom } from '../infer/json-path.js';
import { type Preference, readItemCount } from '../prism/prefer.js';
import type { CompiledOperation, PipelineCall } from './pipeline-call.js';

export interface Making {
  readonly api: Api;
  readonly compiled: CompiledOperation;
  readonly call: PipelineCall;
  readonly preference: Preference | undefined;
  /** The seed of all generated values. */
  readonly seed: string;
}

/** The number of items of a stream without an example. */
const USUAL_COUNT = 3;

/**
 * Yields the items of a stream, from the example or else generated from their schema. `Prefer: items=N` sets their
 * number; a shorter example is repeated.
 */
export function* sampleItems({ media }: ResponseMedia, codec: ItemCodec, making: Making): Generator {
  const given = chooseItems(media, codec, making);
  const wanted = readItemCount(readHeader(making.call.request, 'prefer'));
  const count = wanted ?? (given.length > 0 ? given.length : USUAL_COUNT);
  for (let index = 0; index < count; index += 1)
    yield given.length > 0 ? given[index % given.length] : makeItem(media, codec, { making, index });
}

/** Returns the items of the preferred example, or else of the first example that has any. */
function chooseItems(media: MediaType, codec: ItemCodec, making: Making): readonly unknown[] {
  const { preference } = making;
  if (preference?.dynamic === true) return [];
  const named = media.examples.filter(({ name }) => name === preference?.example);
  const examples = named.length > 0 ? named : media.examples;
  const items = examples.map((example) => itemsOf(example, codec)).find((list) => list.length > 0) ?? [];
  return items.map((item, index) =>
    codec.validate(item).length === 0 ? item : repairItem(item, media, { making, index }),
  );
}

/**
 * Reads an example of a stream: a list of items, the text of the stream (OpenAPI 3.2, "Example Object"), or one item.
 */
function itemsOf({ value, serializedValue }: Example, codec: ItemCodec): readonly unknown[] {
  if (Array.isArray(value) && codec.validate(value).length > 0) return value;
  if (value !== undefined && (typeof value !== 'string' || codec.validate(value).length === 0)) return [value];
  const text = serializedValue ?? value;
  if (typeof text !== 'string') return [];
  try {
    return readAllItems(Buffer.from(text), codec.plan, undefined);
  } catch (error) {
    if (error instanceof DecodeError) return [];
    throw error;
  }
}

interface ItemPlace {
  readonly making: Making;
  readonly index: number;
}

function itemSchema(api: Api, media: MediaType): Schema {
  const { sequence } = media;
  return sequence === undefined ? true : itemValue(api, { ...media, sequence }).schema;
}

function repairItem(item: unknown, media: MediaType, { making, index }: ItemPlace): unknown {
  const schema = itemSchema(making.api, media);
  return repairValue(making.api, schema, item, seedFrom(`${making.seed} ${index}`));
}

function makeItem(media: MediaType, codec: ItemCodec, { making, index }: ItemPlace): unknown {
  const schema = itemSchema(making.api, media);
  const seed = seedFrom(`${making.seed} item ${index}`);
  const made = generateValue(making.api, schema, { direction: 'response', seed, variant: 'full' });
  const value = made.ok ? made.value : {};
  return codec.plan.format === 'event' ? completeEvent(value, codec) : value;
}

/** Adds `data`, without which clients ignore events, and removes a random `retry`, which would delay reconnects. */
function completeEvent(value: unknown, { validate }: ItemCodec): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { retry: _retry, ...calm } = value as Readonly<Record<string, unknown>>;
  const completed = 'data' in calm ? calm : { ...calm, data: '' };
  return validate(completed).length === 0 ? completed : value;
}
