import type { Api, MediaType } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import type { TextShape } from '../../runtime/text-shape.js';
import { hintsReader } from '../../schema/decode-hints.js';
import { applicableParts } from '../../schema/facts/parts.js';
import { itemValue } from '../../schema/item-value.js';
import { bodyForm } from '../media-kind.js';
import type { BodyShape } from './contract.js';

/** How a text is decoded for a schema, as data. A schema inside of itself has no shape there: any text. */
export function textShape(schema: Schema, api: Api): TextShape | undefined {
  return shapeOf(schema, api, []);
}

function shapeOf(schema: Schema, api: Api, above: readonly unknown[]): TextShape | undefined {
  const parts = typeof schema === 'boolean' ? [] : applicableParts(schema, api);
  const hints = hintsReader(api)(schema);
  if (parts.length === 0 || (hints.types.size === 0 && hints.names.size === 0)) return undefined;
  if (above.length > MOST_NESTED || parts.some((part) => above.includes(part))) return undefined;
  const inside = [...above, ...parts];
  const members = [...hints.names].flatMap((name) => {
    const shape = shapeOf(union(parts.flatMap(({ properties = {} }) => own(properties, name))), api, inside);
    return shape === undefined ? [] : [[name, shape] as const];
  });
  const described = [...hints.names].map((name) => [name, { types: [] }] as const);
  const others = parts.flatMap(({ additionalProperties, patternProperties = {} }) => [
    ...Object.values(patternProperties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]);
  const items = parts.flatMap(({ prefixItems = [], items: rest }) => [
    ...prefixItems,
    ...(rest === undefined ? [] : [rest]),
  ]);
  const rest = hints.free ? (shapeOf(union(others), api, inside) ?? { types: [] }) : undefined;
  const item = items.length === 0 ? undefined : shapeOf(union(items), api, inside);
  return {
    types: [...hints.types],
    ...(hints.anyText ? { anyText: true } : {}),
    ...(hints.plain ? { plain: true } : {}),
    ...(hints.wide ? { wide: true } : {}),
    ...(hints.binary ? { binary: true } : {}),
    ...(described.length === 0 ? {} : { members: Object.fromEntries([...described, ...members]) }),
    ...(rest === undefined ? {} : { rest }),
    ...(item === undefined ? {} : { items: item }),
  };
}

/** Deeper values have no shape. */
const MOST_NESTED = 40;

function own(properties: Readonly<Record<string, Schema>>, name: string): Schema[] {
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return schema === undefined ? [] : [schema];
}

function union(schemas: readonly Schema[]): Schema {
  const [first = true, ...others] = schemas;
  return others.length === 0 ? first : { anyOf: [...schemas] };
}

/** How programs read and write one of the media types of a body. */
export function bodyShape(media: MediaType, content: readonly MediaType[], api: Api): BodyShape {
  const form = bodyForm(media, content, api);
  if (form.kind === 'xml' || form.kind === 'parts') return { kind: form.kind, plan: form.plan };
  if (form.kind !== 'items') return { kind: form.kind };
  const { plan, schema } = itemValue(api, form.media);
  return { kind: 'items', plan, items: schema };
}
