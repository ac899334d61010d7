import type { Api, MediaType, Operation } from '../model/api.js';
import { readAllItems, writePartTexts } from '../http/item-codec.js';
import { DecodeError } from '../http/request/decode-error.js';
import { type EventItem, isJsonEvent, type ItemPlan, writeEvent } from '../runtime/items.js';
import { toText } from '../runtime/serialize.js';
import { compileValidator } from '../schema/compile-validator.js';
import { type ItemMedia, itemValue } from '../schema/item-value.js';
import { stringifyExactJson } from '../runtime/json-integers.js';

/**
 * Returns the API with each streamed request body described as a list of its items, so that cases can be made from it.
 */
export function withItemLists(api: Api): Api {
  const replaced = new Map<Operation, Operation>();
  for (const operation of api.operations) {
    if (operation.body?.content.some(isItemMedia) !== true) continue;
    const content = operation.body.content.map((media) => (isItemMedia(media) ? asList(media, api) : media));
    replaced.set(operation, { ...operation, body: { ...operation.body, content } });
  }
  if (replaced.size === 0) return api;
  return { ...api, operations: api.operations.map((operation) => replaced.get(operation) ?? operation) };
}

export function isItemMedia<Media extends Pick<MediaType, 'sequence'>>(media: Media): media is Media & ItemMedia {
  return media.sequence !== undefined;
}

/** Turns an example that is a single item into a list of one. */
function asList(media: MediaType & ItemMedia, api: Api): MediaType {
  const { schema } = itemValue(api, media);
  const isItem = compileValidator(api, schema, { direction: 'request' });
  const examples = media.examples
    .filter(({ value }) => value !== undefined)
    .map((example) =>
      Array.isArray(example.value) && isItem(example.value).length > 0
        ? example
        : { ...example, value: [example.value] },
    );
  return { ...media, schema: { type: 'array', minItems: 1, items: schema }, examples };
}

/** Writes the items of a body. */
export function writeItemList(value: unknown, plan: ItemPlan, boundary: string): string {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (plan.format === 'multipart') return writePartTexts(items, plan, boundary);
  return items.map((item) => writeItem(item, plan)).join('');
}

function writeItem(item: unknown, plan: ItemPlan): string {
  switch (plan.format) {
    case 'json-lines':
      return `${stringifyExactJson(item)}\n`;
    case 'json-seq':
      return `\u001e${stringifyExactJson(item)}\n`;
    case 'event-data':
      return writeEvent({ data: stringifyExactJson(item) });
    case 'event-text':
      return writeEvent({ data: String(item) });
    default:
      return writeWholeEvent(item, plan);
  }
}

/** Writes only the fields of an event, and nothing if the item is not an object. */
function writeWholeEvent(item: unknown, plan: ItemPlan): string {
  if (typeof item !== 'object' || item === null) return '';
  const { data, ...fields } = item as Readonly<Record<string, unknown>>;
  const texts = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const event: EventItem = Object.fromEntries(texts.map(([name, value]) => [name, toText(value)]));
  return writeEvent({
    ...event,
    data: typeof data === 'string' && isJsonEvent(event, plan) ? stringifyExactJson(data) : data,
  });
}

/** Whether a list of items is still invalid after a server has read it. Some values cannot be written. */
export function staysInvalidItems(value: unknown, media: ItemMedia, api: Api): boolean {
  if (!Array.isArray(value)) return false;
  const { schema, plan } = itemValue(api, media);
  const isItem = compileValidator(api, schema, { direction: 'request' });
  try {
    const read = readAllItems(Buffer.from(writeItemList(value, plan, BOUNDARY)), plan, BOUNDARY);
    return read.some((item) => isItem(item).length > 0);
  } catch (error) {
    if (error instanceof DecodeError) return true;
    throw error;
  }
}

/** Does not occur in generated values, and is the same in every run. */
export const BOUNDARY = 'specmill-7f3a91c05be2d648';
