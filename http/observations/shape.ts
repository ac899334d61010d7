import { isRecord } from '../../model/document/records.js';
import { date, dateTime, uuid } from '../../runtime/formats.js';

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** The formats that texts are compared with. */
const FORMATS: readonly (readonly [name: string, check: (text: string) => boolean])[] = [
  ['date-time', dateTime],
  ['date', date],
  ['uuid', uuid],
];

/** Longer texts have no format that is looked for. */
const MOST_CHARACTERS = 64;
const MOST_DEPTH = 16;
const MOST_ITEMS = 1_000;
/** More members than this are keys of a map. */
const MOST_MEMBERS = 200;

/** How many shapes may still be made, and how many parts of values found no room. */
export interface ShapeRoom {
  left: number;
  omitted: number;
}

/** What the values at one place have in common: counts, no values. */
export interface Shape {
  values: number;
  readonly types: Map<JsonType, number>;
  /** How many texts have each format. */
  readonly formats: Map<string, number>;
  /** The first of these texts; of a UUID its first characters, since it may be a secret. */
  sample: string | undefined;
  /** Whether two of these texts differ. */
  varies: boolean;
  members: Map<string, Shape> | undefined;
  items: Shape | undefined;
}

export function newShape(): Shape {
  return {
    values: 0,
    types: new Map(),
    ...{ formats: new Map<string, number>(), sample: undefined, varies: false },
    members: undefined,
    items: undefined,
  };
}

/** Counts a value, with everything in it. */
export function addToShape(shape: Shape, value: unknown, room: ShapeRoom, depth: number = 0): void {
  const type = jsonTypeOf(value);
  shape.values += 1;
  count(shape.types, type);
  if (typeof value === 'string') addFormats(shape, value);
  if (depth >= MOST_DEPTH) return;
  if (Array.isArray(value) && value.length > 0) {
    if (shape.items === undefined && !takeRoom(room)) return;
    shape.items ??= newShape();
    for (const item of value.slice(0, MOST_ITEMS)) addToShape(shape.items, item, room, depth + 1);
  } else if (isRecord(value)) addMembers(shape, value, room, depth);
}

function addMembers(shape: Shape, value: Readonly<Record<string, unknown>>, room: ShapeRoom, depth: number): void {
  shape.members ??= new Map();
  for (const [name, member] of Object.entries(value)) {
    let known = shape.members.get(name);
    if (known === undefined) {
      if (shape.members.size >= MOST_MEMBERS || !takeRoom(room)) continue;
      known = newShape();
      shape.members.set(name, known);
    }
    addToShape(known, member, room, depth + 1);
  }
}

function takeRoom(room: ShapeRoom): boolean {
  const hasRoom = room.left > 0;
  if (hasRoom) room.left -= 1;
  else room.omitted += 1;
  return hasRoom;
}

function addFormats(shape: Shape, text: string): void {
  if (text.length > MOST_CHARACTERS) return;
  for (const [name, check] of FORMATS) {
    if (!check(text)) continue;
    count(shape.formats, name);
    const sample = name === 'uuid' ? `${text.slice(0, 8)}-…` : text;
    shape.sample ??= sample;
    shape.varies ||= shape.sample !== sample;
  }
}

export function count<Key>(counts: Map<Key, number>, key: Key, by: number = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function jsonTypeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'object';
}
