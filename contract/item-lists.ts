import type { Api, MediaType, Operation } from '../model/api.js';
import { readAllItems } from '../http/item-codec.js';
import { DecodeError } from '../runtime/decode-error.js';
import { BOUNDARY, isItemMedia, writeItemList } from '../http/request/write-body.js';
import { compileValidator } from '../schema/compile-validator.js';
import { type ItemMedia, itemValue } from '../schema/item-value.js';

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
