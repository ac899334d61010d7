import { getOrInsert } from '../model/maps.js';
import type { Api, Encoding, ItemSequence, MediaType } from '../model/api.js';
import type { Schema, SchemaObject } from '../model/schema-types.js';
import type { ItemPlan, PartPlan } from '../runtime/items.js';
import { mediaKind, mediaTypeEssence } from '../runtime/media-type.js';
import { type XmlPlan, xmlPart } from '../runtime/xml.js';
import { itemsOf, membersOf } from './facts/members.js';
import { followRefs, resolveRef } from './facts/parts.js';
import { xmlPlanOf } from './xml-plan.js';

/** The items of a stream: their schema, and how to read and write them. */
export interface ItemValue {
  readonly schema: Schema;
  readonly plan: ItemPlan;
  /** The JSON in the data of each event if all events have JSON; in other streams, the item itself. */
  readonly message: Schema | undefined;
}

const known = new WeakMap<ItemSequence, ItemValue>();

/**
 * Describes the items of a stream as values. If the `data` of a server-sent event is a string with `contentMediaType`
 * JSON, the value has the parsed JSON as `data`, described by `contentSchema`; this may depend on the event's name.
 */
export function itemValue(api: Api, media: ItemMedia): ItemValue {
  return getOrInsert(known, media.sequence, () => readItemValue(api, media));
}

/** A media type whose body is a sequence. */
export type ItemMedia = Pick<MediaType, 'prefixEncoding' | 'itemEncoding'> & { readonly sequence: ItemSequence };

/** How a list of unnamed parts is encoded (OpenAPI 3.2, "Encoding By Position"); `undefined` for other bodies. */
export function partListPlan(
  api: Api,
  media: Pick<MediaType, 'mediaType' | 'schema'> & Positions,
): ItemPlan | undefined {
  const isForm = mediaTypeEssence(media.mediaType) === 'multipart/form-data';
  if (isForm || mediaKind(media.mediaType) !== 'multipart' || media.schema === undefined) return undefined;
  const target = followRefs(media.schema, api);
  if (target === undefined) return undefined;
  const isList =
    target.type === 'array' || (target.type === undefined && (target.items ?? target.prefixItems) !== undefined);
  return isList ? { format: 'multipart', ...partTypes(api, media, media.schema) } : undefined;
}

type Positions = Pick<MediaType, 'prefixEncoding' | 'itemEncoding'>;

/**
 * Returns how parts are encoded by position; the last entry is for all further parts.
 *
 * @param list - the schema of the list of parts.
 */
function partTypes(
  api: Api,
  { prefixEncoding = [], itemEncoding }: Positions,
  list: Schema | undefined,
): Pick<ItemPlan, 'partTypes'> {
  const target = list === undefined ? undefined : followRefs(list, api);
  const first = prefixEncoding.map((encoding, index) =>
    partType(api, encoding, target?.prefixItems?.[index] ?? target?.items),
  );
  const types = [...first, partType(api, itemEncoding, target?.items)];
  return types.every((type) => type === undefined) ? {} : { partTypes: types };
}

/** The schema of a part of a form; for a list, that of its items. */
export function schemaOfPart(api: Api, form: Schema | undefined, name: string): Schema | undefined {
  const member = form === undefined ? undefined : membersOf(form, api).get(name)?.schema;
  return member === undefined ? undefined : (itemsOf(member, api) ?? member);
}

/** An XML part, with the plan of its functions. */
export interface XmlPart extends PartPlan {
  readonly xml: XmlPlan;
}

/** How one part is encoded: its content type, or a plan if it is itself a list of parts (OpenAPI 3.2) or XML. */
export function partType(
  api: Api,
  encoding: Encoding | undefined,
  schema: Schema | undefined,
): string | PartPlan | XmlPart | undefined {
  const type = firstType(encoding);
  if (type === undefined || schema === undefined) return type;
  const list = partListPlan(api, {
    mediaType: type,
    schema,
    ...encoding?.nested,
  });
  if (list !== undefined) return { type, partTypes: list.partTypes ?? [] };
  const xml = xmlPlanOf(api, { mediaType: type, schema });
  return xml === undefined ? type : { ...xmlPart(type, xml), xml };
}

/** Returns the first of several allowed types, for values without a type of their own. */
function firstType(encoding: Encoding | undefined): string | undefined {
  const first = encoding?.contentType?.split(',', 1)[0]?.trim() ?? '';
  return first === '' || first.includes('*') ? undefined : first;
}

function readItemValue(api: Api, media: ItemMedia): ItemValue {
  const { framing, unit, schema } = media.sequence;
  if (framing === 'multipart') {
    const types = partTypes(api, media, { type: 'array', items: schema });
    return { schema, message: schema, plan: { format: framing, ...types } };
  }
  if (framing !== 'event-stream') return { schema, message: schema, plan: { format: framing } };
  if (unit !== 'event')
    return { schema, message: schema, plan: { format: isText(api, schema) ? 'event-text' : 'event-data' } };
  const decoder = new EventDecoder(api);
  const names = decoder.jsonEvents(schema);
  if (names.size === 0) return { schema, message: undefined, plan: { format: 'event' } };
  const jsonEvents = names.has(undefined) ? true : [...names].flatMap((name) => name ?? []);
  const decoded = decoder.decode(schema, false);
  const data = typeof decoded === 'object' ? decoded.properties?.['data'] : undefined;
  return {
    schema: decoded,
    message: jsonEvents === true && data !== true ? data : undefined,
    plan: { format: 'event', jsonEvents },
  };
}

function isText(api: Api, schema: Schema): boolean {
  const target = typeof schema === 'object' && schema.$ref !== undefined ? resolveRef(api, schema.$ref) : schema;
  return typeof target === 'object' && target.type === 'string';
}

const COMBINERS = ['allOf', 'anyOf', 'oneOf'] as const;
const MAX_DEPTH = 8;

/** Finds and replaces the schemas of encoded data in the schema of an event. */
class EventDecoder {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The names of the events whose data is JSON; `undefined` for any name. */
  jsonEvents(schema: Schema | undefined, depth = 0): Set<string | undefined> {
    if (typeof schema !== 'object' || depth > MAX_DEPTH) return new Set();
    const names = new Set(this.#partsOf(schema).flatMap((part) => [...this.jsonEvents(part, depth + 1)]));
    if (this.#jsonData(schema) === undefined) return names;
    for (const name of this.#namesOf(schema)) names.add(name);
    return names;
  }

  /** @param isBase - whether other schemas describe the same event, so that only they describe its data. */
  decode(schema: Schema, isBase: boolean, depth = 0): Schema {
    if (typeof schema !== 'object' || depth > MAX_DEPTH) return schema;
    if (this.jsonEvents(schema, depth).size === 0 && !isBase) return schema;
    const { $ref, ...own } = schema;
    const target = $ref === undefined ? undefined : resolveRef(this.#api, $ref);
    const isAlone = Object.keys(own).length === 0;
    if (target !== undefined && isAlone) return this.decode(target, isBase, depth + 1);
    const combined = COMBINERS.filter((keyword) => own[keyword] !== undefined);
    const isShared = isBase || target !== undefined || combined.length > 0;
    const parts = combined.map((keyword) => [
      keyword,
      own[keyword]?.map((part) => this.decode(part, keyword === 'allOf', depth + 1)),
    ]);
    const decoded: SchemaObject = { ...this.#decodeData(own, isShared), ...Object.fromEntries(parts) };
    if (target === undefined) return decoded;
    return { ...decoded, allOf: [...(decoded.allOf ?? []), this.decode(target, true, depth + 1)] };
  }

  #decodeData(schema: SchemaObject, isShared: boolean): SchemaObject {
    const data = schema.properties?.['data'];
    if (data === undefined) return schema;
    const decoded = this.#jsonData(schema) ?? (isShared ? true : data);
    return { ...schema, properties: { ...schema.properties, data: decoded } };
  }

  /** The schema of the JSON in `data`. */
  #jsonData(schema: SchemaObject): Schema | undefined {
    const data = followRefs(schema.properties?.['data'] ?? true, this.#api);
    if (data?.contentMediaType === undefined || data.contentEncoding !== undefined) return undefined;
    return /[/+]json\s*(;|$)/i.test(data.contentMediaType) ? (data.contentSchema ?? true) : undefined;
  }

  #namesOf(schema: SchemaObject): readonly (string | undefined)[] {
    const event = followRefs(schema.properties?.['event'] ?? true, this.#api);
    const values = event?.const === undefined ? event?.enum : [event.const];
    const names = values?.filter((value) => typeof value === 'string');
    return names === undefined || names.length === 0 ? [undefined] : names;
  }

  #partsOf(schema: SchemaObject): Schema[] {
    const parts = COMBINERS.flatMap((keyword) => schema[keyword] ?? []);
    const target = schema.$ref === undefined ? undefined : resolveRef(this.#api, schema.$ref);
    return target === undefined ? parts : [...parts, target];
  }
}
