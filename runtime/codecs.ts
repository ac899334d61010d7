/**
 * Converts a value between JSON and the types of the program. Leaves a value unchanged if its type differs from the API
 * description.
 *
 * @param place - JSON pointer to the value, for messages.
 * @throws TypeError if the value cannot be converted.
 */
export type Codec = (value: unknown, way: 'decode' | 'encode', place?: string) => unknown;

function refuse(place: string, what: string): never {
  throw new TypeError(`The value at ${JSON.stringify(place)} is not ${what}.`);
}

/** Adds `Z` to a time without a zone. */
function withZone(text: string): string {
  return /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(text) ? text : `${text}Z`;
}

function toDate(text: string, place: string, what: string): Date {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? refuse(place, what) : date;
}

/** `format: date-time` as a `Date`. */
export const dateTime: Codec = (value, way, place = '') => {
  if (way === 'decode') return typeof value === 'string' ? toDate(withZone(value), place, 'a date-time') : value;
  if (!(value instanceof Date)) return value;
  return Number.isNaN(value.getTime()) ? refuse(place, 'a valid date') : value.toISOString();
};

/** `format: date` as a `Date`: midnight in UTC. */
export const dateOnly: Codec = (value, way, place = '') => {
  if (way === 'encode') return value instanceof Date ? String(dateTime(value, way, place)).slice(0, 10) : value;
  if (typeof value !== 'string') return value;
  return /^\d{4}-\d\d-\d\d$/.test(value) ? toDate(value, place, 'a date') : refuse(place, 'a date');
};

/** The parts of the global `Temporal` that are used. */
interface TemporalTypes {
  readonly Instant: { from(text: string): unknown };
  readonly PlainDate: { from(text: string): unknown };
}

function isTemporal(value: unknown): value is { toString(): string } {
  return typeof value === 'object' && value !== null && Symbol.toStringTag in value;
}

function temporal(type: keyof TemporalTypes, what: string, prepare: (text: string) => string): Codec {
  return (value, way, place = '') => {
    if (way === 'encode') return isTemporal(value) ? value.toString() : value;
    if (typeof value !== 'string') return value;
    const { Temporal } = globalThis as unknown as { readonly Temporal?: TemporalTypes };
    if (Temporal === undefined) throw new TypeError('There is no Temporal: load a polyfill before the first call.');
    try {
      return Temporal[type].from(prepare(value));
    } catch {
      return refuse(place, what);
    }
  };
}

/** `format: date-time` as a `Temporal.Instant`. */
export const temporalInstant: Codec = /* @__PURE__ */ temporal('Instant', 'a date-time', withZone);

/** `format: date` as a `Temporal.PlainDate`. */
export const temporalDate: Codec = /* @__PURE__ */ temporal('PlainDate', 'a date', String);

function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** Returns a number if it can hold the integer exactly. */
function shorten(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** `format: int64` as a `bigint`. */
export const bigInteger: Codec = (value, way) => {
  if (way === 'encode') return typeof value === 'bigint' ? shorten(value) : value;
  return isInteger(value) ? BigInt(value) : value;
};

/** `format: int64` as a `string` of digits. */
export const integerText: Codec = (value, way, place = '') => {
  if (way === 'decode') return isInteger(value) ? String(BigInt(value)) : value;
  if (typeof value !== 'string') return value;
  return /^-?\d+$/.test(value) ? shorten(BigInt(value)) : refuse(place, 'an integer');
};

/** Whether a value is a plain object: not a list, a file, a stream, a form or a date. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(Symbol.toStringTag in value || Symbol.asyncIterator in value || 'toJSON' in value);
}

/**
 * Converts the members of an object.
 *
 * @param own - codecs by member name.
 * @param rest - codec of all other members.
 */
export function members(own: Readonly<Record<string, Codec>>, rest?: Codec): Codec {
  return (value, way, place = '') => {
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([name, member]) => {
      const codec = Object.hasOwn(own, name) ? own[name] : rest;
      return [name, codec === undefined ? member : codec(member, way, `${place}/${name}`)];
    });
    // Object.fromEntries defines own members, even `__proto__`.
    return Object.fromEntries(entries) as unknown;
  };
}

/**
 * Converts the items of a list.
 *
 * @param first - codecs of the first items, by position; `undefined` leaves an item unchanged.
 */
export function list(items: Codec | undefined, first: readonly (Codec | undefined)[] = []): Codec {
  return (value, way, place = '') => {
    if (!Array.isArray(value)) return value;
    return value.map((item: unknown, index) => {
      const codec = index < first.length ? first[index] : items;
      return codec === undefined ? item : codec(item, way, `${place}/${index}`);
    });
  };
}

/** Applies codecs in turn, for schemas that apply together. */
export function all(...codecs: readonly Codec[]): Codec {
  return (value, way, place) => codecs.reduce((result, codec) => codec(result, way, place), value);
}

/** A branch of a choice, and the members by which its values are recognised. */
export interface Branch {
  readonly codec: Codec;
  /** Members that have one of these values. */
  readonly is?: Readonly<Record<string, readonly unknown[]>>;
  /** Members that are present. */
  readonly has?: readonly string[];
}

/** Converts a value with each branch that it can belong to. A branch that cannot convert it leaves it unchanged. */
export function choice(...branches: readonly Branch[]): Codec {
  return (value, way, place) =>
    branches
      .filter((branch) => fits(value, branch))
      .reduce((result, { codec }) => {
        try {
          return codec(result, way, place);
        } catch {
          return result;
        }
      }, value);
}

function fits(value: unknown, { is = {}, has = [] }: Branch): boolean {
  if (!isRecord(value)) return true;
  return (
    has.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(is).every(([name, values]) => Object.hasOwn(value, name) && values.includes(value[name]))
  );
}

/** A codec that is declared later in the module. */
export function lazy(load: () => Codec): Codec {
  return (value, way, place) => load()(value, way, place);
}

/** A parameter that is sent as JSON. */
export function jsonText(codec: Codec, stringify: (value: unknown) => string): Codec {
  return (value, way, place) => stringify(codec(value, way, place));
}

/** Converts the items of a streamed body as they arrive. A list stays a list, so that it can be sent again. */
export function each(codec: Codec): Codec {
  return (value, way) =>
    Array.isArray(value)
      ? value.map((item: unknown) => codec(item, way))
      : convertItems(value as AsyncIterable<unknown>, codec, way);
}

async function* convertItems(
  items: AsyncIterable<unknown>,
  codec: Codec,
  way: 'decode' | 'encode',
): AsyncGenerator<unknown, void, undefined> {
  for await (const item of items) yield codec(item, way);
}

/**
 * Makes a function that parses JSON into the types of the program.
 *
 * @param parse - replaces `JSON.parse`.
 */
export function parseTyped(codec: Codec, parse: (text: string) => unknown = JSON.parse): (text: string) => unknown {
  return (text) => {
    const value = parse(text);
    try {
      return codec(value, 'decode');
    } catch (cause) {
      // Reported like malformed JSON, because the connection did not break.
      throw new SyntaxError((cause as Error).message, { cause });
    }
  };
}

/**
 * Makes a function that writes values of the program as JSON.
 *
 * @param stringify - replaces `JSON.stringify`.
 */
export function stringifyTyped(
  codec: Codec,
  stringify: (value: unknown) => string = JSON.stringify,
): (value: unknown) => string {
  return (value) => stringify(codec(value, 'encode'));
}

/** Converts the members of an object to JSON. */
export function encodeMembers(value: object, codec: Codec): object {
  return codec(value, 'encode') as object;
}

/** Converts a result to the types of the program. */
export async function decodeResult<Value>(result: Promise<unknown>, codec: Codec): Promise<Value> {
  return codec(await result, 'decode') as Value;
}
