import type { Schema, SchemaObject } from '../model/schema-types.js';
import { compileValidator } from './compile-validator.js';
import { generateValue } from './generate-value.js';
import { type SiteOptions, type ValueSite, valueSites } from './value-sites.js';
import { setAt } from './value-path.js';
import { toPointer } from '../model/document/pointer.js';
import { showJson } from '../model/exact-json.js';
import { noteStep } from './sample/watched-work.js';

/** A valid value at a boundary of its schema. */
export interface BoundaryValue {
  readonly value: unknown;
  /** JSON pointer to the place in the value. */
  readonly pointer: string;
  /** The name of the boundary, such as `maxLength`. */
  readonly edge: string;
}

interface Edge {
  readonly edge: string;
  readonly at?: string;
  readonly value: unknown;
}

const MAX_LENGTH = 20_000;
const MAX_ITEMS = 300;

/**
 * Moves each place of a valid value to each of its boundaries: bounds, lengths, enum values, formats, optional members.
 * Each result is proven valid.
 *
 * @example boundaryValues({ type: 'integer', minimum: 1, maximum: 9 }, 5, options).map(({ value }) => value) // [1, 9]
 */
export function boundaryValues(schema: Schema, value: unknown, options: SiteOptions): BoundaryValue[] {
  const validate = compileValidator(options.api, schema, { direction: options.direction });
  const seen = new Set<string>([showJson(value, '')]);
  return valueSites(schema, value, options).flatMap((site) =>
    edgesOf(site, options).flatMap((edge): BoundaryValue[] => {
      noteStep();
      const path = edge.at === undefined ? site.path : [...site.path, edge.at];
      const made = setAt(value, path, edge.value);
      const key = showJson(made, '');
      if (made === undefined || seen.has(key) || validate(made).length > 0) return [];
      seen.add(key);
      return [{ value: made, pointer: toPointer(path), edge: edge.edge }];
    }),
  );
}

function edgesOf({ value, schemas }: ValueSite, options: SiteOptions): Edge[] {
  return schemas.flatMap((schema) => [
    ...(schema.enum ?? []).map((one) => ({ edge: 'enum', value: one })),
    ...([schema.type].flat().includes('null') ? [{ edge: 'null', value: null }] : []),
    ...(typeof value === 'boolean' ? [{ edge: 'boolean', value: !value }] : []),
    ...(typeof value === 'number' ? numberEdges(schema) : []),
    ...(typeof value === 'string' ? textEdges(schema, value) : []),
    ...(Array.isArray(value) ? listEdges(schema, value, options) : []),
    ...(typeof value === 'object' && value !== null && !Array.isArray(value)
      ? memberEdges(schema, value, options)
      : []),
    ...[...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap((branch) => makeEdge('branch', branch, options)),
  ]);
}

function numberEdges(schema: SchemaObject): Edge[] {
  const step = schema.multipleOf ?? 1;
  const edges: readonly (readonly [string, number | undefined])[] = [
    ['minimum', schema.minimum],
    ['maximum', schema.maximum],
    ['exclusiveMinimum', schema.exclusiveMinimum === undefined ? undefined : schema.exclusiveMinimum + step],
    ['exclusiveMaximum', schema.exclusiveMaximum === undefined ? undefined : schema.exclusiveMaximum - step],
    ['zero', 0],
    ['int32', schema.format === 'int32' ? 2 ** 31 - 1 : undefined],
  ];
  return edges.flatMap(([edge, value]) => (value === undefined ? [] : [{ edge, value }]));
}

function textEdges({ minLength = 0, maxLength, format, pattern }: SchemaObject, value: string): Edge[] {
  const edges: Edge[] = [];
  if (format === 'date') edges.push({ edge: 'leap day', value: '2024-02-29' });
  if (format === 'date-time-local') edges.push({ edge: 'leap day', value: '2024-02-29T23:59:59' });
  if (format === 'date-time') edges.push({ edge: 'offset', value: '2026-01-01T00:00:00.123+02:00' });
  if (format !== undefined || pattern !== undefined) return [...edges, ...lengthEdges(value, minLength, maxLength)];
  const longest = Math.min(maxLength ?? 3_000, MAX_LENGTH);
  edges.push({ edge: 'minLength', value: 'a'.repeat(minLength) });
  edges.push({ edge: maxLength === undefined ? 'long text' : 'maxLength', value: 'a'.repeat(longest) });
  edges.push({ edge: 'non-ASCII', value: 'žluťoučký 日本 𝄞'.slice(0, Math.max(longest, 1)) });
  if (maxLength !== undefined) edges.push({ edge: 'maxLength, non-ASCII', value: 'é'.repeat(longest) });
  return edges;
}

/** Changes the length of a text by repeating its last character, because this often keeps its format. */
function lengthEdges(value: string, minLength: number, maxLength: number | undefined): Edge[] {
  const last = value.at(-1) ?? 'a';
  const longest =
    maxLength === undefined || maxLength > MAX_LENGTH
      ? []
      : [{ edge: 'maxLength', value: value.slice(0, maxLength).padEnd(maxLength, last) }];
  return minLength === 0
    ? longest
    : [{ edge: 'minLength', value: value.slice(0, minLength).padEnd(minLength, last) }, ...longest];
}

function listEdges(schema: SchemaObject, value: readonly unknown[], options: SiteOptions): Edge[] {
  const { minItems = 0, maxItems = 3 } = schema;
  const edges: Edge[] = [{ edge: 'minItems', value: value.slice(0, minItems) }];
  if (maxItems > MAX_ITEMS) return edges;
  const items = Array.from(
    { length: maxItems },
    (_, index) => value[index] ?? makeItem(schema, value, { options, seed: index + 1 }),
  );
  return [...edges, { edge: 'maxItems', value: items }];
}

function makeItem(
  schema: SchemaObject,
  value: readonly unknown[],
  { options, seed }: { readonly options: SiteOptions; readonly seed: number },
): unknown {
  const made = generateValue(options.api, schema.items ?? true, {
    direction: options.direction,
    seed,
    variant: 'minimal',
  });
  return made.ok ? made.value : value[0];
}

function memberEdges(schema: SchemaObject, value: object, options: SiteOptions): Edge[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !required.has(name))
    .flatMap(([name, member]): Edge[] =>
      Object.hasOwn(value, name)
        ? [{ edge: 'left out', at: name, value: undefined }]
        : [...makeEdge('present', member, options), ...choicesOf(member)].map((edge) => ({ ...edge, at: name })),
    );
}

function choicesOf(schema: Schema): Edge[] {
  return typeof schema === 'object' ? (schema.enum ?? []).map((value) => ({ edge: 'enum', value })) : [];
}

function makeEdge(edge: string, schema: Schema, { api, direction }: SiteOptions): Edge[] {
  const made = generateValue(api, schema, { direction, seed: 7, variant: 'minimal' });
  return made.ok ? [{ edge, value: made.value }] : [];
}
