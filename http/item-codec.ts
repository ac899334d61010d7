import type { MediaType } from '../model/api.js';
import { stringifyExactJson } from '../runtime/json-integers.js';
import {
  encodeParts,
  framingOf,
  type ItemPlan,
  type PartPlan,
  partPlanAt,
  readEvent,
  splitPart,
  toEventItem,
} from '../runtime/items.js';
import { FrameSplitter } from '../runtime/frame-splitter.js';
import { compileValidator, type Validate } from '../schema/compile-validator.js';
import { itemValue } from '../schema/item-value.js';
import { kindOf, parseMediaType } from '../runtime/parsed-media-type.js';
import type { ServerSentEvent } from './messages.js';
import { decodeCharset, decodeJson } from '../runtime/decode-json.js';
import { ParseBudget, ITEM, LIST, OBJECT, PART } from '../runtime/parse-budget.js';
import { DecodeError, withinBudget } from '../runtime/decode-error.js';
import type { CompileContext } from './request/read-parameters.js';
import { decodeXml } from './xml-body.js';

/** Reads and checks the items of a stream. */
export interface ItemCodec {
  readonly plan: ItemPlan;
  readonly validate: Validate;
}

export function compileItems(
  media: MediaType,
  { api, report }: CompileContext,
  direction: 'request' | 'response',
): ItemCodec | undefined {
  const { sequence, source } = media;
  if (sequence === undefined) return undefined;
  const { schema, plan } = itemValue(api, { ...media, sequence });
  const options = { direction, source, ...(report === undefined ? {} : { report }) };
  return { plan, validate: compileValidator(api, schema, options) };
}

/**
 * Returns the item of a frame in a list, which is empty for a comment and for the end marker.
 *
 * @throws DecodeError if it cannot be read
 */
export function readFrame(content: Uint8Array, plan: ItemPlan, { index = 0, budget, end }: FramePlace = {}): unknown[] {
  if (plan.format === 'multipart') return [readPart(content, partPlanAt(plan.partTypes, index), budget)];
  const text = decodeCharset(content, undefined);
  if (framingOf(plan.format) !== 'event-stream') return [decodeJson(text, budget)];
  return readEvent(text).flatMap((event) => (event.data === end ? [] : [toItem(event, plan, budget)]));
}

/** Where a frame is in a body. */
interface FramePlace {
  readonly index?: number;
  /** The budget of the body if all of its frames are read at once. */
  readonly budget?: ParseBudget | undefined;
  /** The data of the event that marks the end of the stream. */
  readonly end?: string | undefined;
}

/** Converts an event to an item. @throws DecodeError if its data must be JSON and is not */
export function toItem(event: ServerSentEvent, plan: ItemPlan, budget?: ParseBudget): unknown {
  const { data } = event;
  if (plan.format === 'event') return typeof data === 'string' ? toEventItem({ ...event, data }, plan) : event;
  return typeof data === 'string' && plan.format === 'event-data' ? decodeJson(data, budget) : data;
}

function readPart(content: Uint8Array, plan: PartPlan | undefined, budget?: ParseBudget): unknown {
  const { type, body } = splitPart(content);
  return readPartBody(body, type, { ...plan, budget });
}

/** Reads the value of an unnamed part. @throws DecodeError */
export function readPartBody(
  body: Uint8Array,
  type: string,
  { partTypes, read, budget }: Partial<PartPlan> & { readonly budget?: ParseBudget | undefined } = {},
): unknown {
  const parsed = parseMediaType(type === '' ? 'text/plain' : type);
  if (parsed === undefined) throw new DecodeError('must have a media type that can be read');
  const kind = kindOf(parsed);
  // Every level is in the spec, so a request cannot nest deeper.
  if (partTypes !== undefined && kind === 'multipart')
    return readAllItems(body, { format: 'multipart', partTypes }, parsed.parameters.get('boundary'));
  if (read !== undefined && /[/+]xml$/.test(parsed.essence))
    return decodeXml(() => read(decodeCharset(body, parsed.parameters.get('charset'))));
  if (kind === 'json') return decodeJson(decodeCharset(body, parsed.parameters.get('charset')), budget);
  if (kind === 'text') return decodeCharset(body, parsed.parameters.get('charset'));
  // Copied, so that a part does not keep the whole body in memory.
  return new Blob([new Uint8Array(body)], { type });
}

/** Writes a list of parts as text. Generated values have no files, so all pieces are texts. */
export function writePartTexts(items: readonly unknown[], plan: ItemPlan, boundary: string): string {
  const pieces = encodeParts(items, { ...plan, stringify: stringifyExactJson }, boundary);
  return pieces.filter((piece) => typeof piece === 'string').join('');
}

/**
 * Reads all items of a body.
 *
 * @throws DecodeError that points to the item that cannot be read
 */
export function readAllItems(bytes: Uint8Array, plan: ItemPlan, boundary: string | undefined): unknown[] {
  if (plan.format === 'multipart' && (boundary === undefined || boundary === ''))
    throw new DecodeError('must name a boundary', '/content-type');
  const budget = new ParseBudget(bytes.length, [plan.format === 'multipart' ? PART : ITEM, OBJECT, LIST]);
  const splitter = new FrameSplitter(framingOf(plan.format), { boundary, budget });
  const items: unknown[] = [];
  for (const { content } of withinBudget(() => [...splitter.push(bytes), ...splitter.end()]))
    if (content !== undefined) {
      if (framingOf(plan.format) === 'event-stream') spendEvent(content, budget);
      for (const item of locate(items.length, () => readFrame(content, plan, { index: items.length, budget })))
        items.push(item);
    }
  return items;
}

/** An event takes as long to read as an object, and each of its lines as long as an item. @throws DecodeError */
function spendEvent(content: Uint8Array, budget: ParseBudget): void {
  let lines = 0;
  for (const byte of content) if (byte === 10 || byte === 13) lines += 1;
  withinBudget(() => budget.spend(OBJECT.cost + ITEM.cost * lines));
}

function locate(index: number, read: () => unknown[]): unknown[] {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new DecodeError(error.message, `/${index}${error.pointer}`, error.status);
  }
}
