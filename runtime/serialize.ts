/** Percent-encodes a text; or leaves it as it is, or does it in part. */
export type Encode = (text: string) => string;

/** Writes one parameter as `name=value` pieces: none, one or several. */
export type PairWriter = (name: string, value: unknown, encoder?: Encode) => string[];

/** Writes one parameter as a text that stands for itself, in a path or a header. */
export type TextWriter = (name: string, value: unknown, encoder?: Encode) => string;

/** How single members travel, by name, where it is not the default way. */
export type Writers<Writer> = Readonly<Record<string, Writer>>;

/** Encodes everything but the unreserved characters of RFC 3986. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

type Single = string | number | bigint | boolean;

/** A single value as text; what has members of its own as JSON. */
export function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : `${value as Single}`;
}

/** The members of an object that have a value. A member that is `undefined` or `null` counts as left out. */
export function members(value: unknown): [string, unknown][] {
  return Object.entries(value ?? {}).filter(([, member]) => member != null);
}

/** The items of a list that have a value. */
export function items(value: readonly unknown[]): unknown[] {
  return value.filter((item) => item != null);
}

/** The encoded parts of a value: its items, or its names and values in turn, or itself. */
export function parts(value: unknown, encoder: Encode): string[] {
  const flat = Array.isArray(value) ? items(value) : typeof value === 'object' ? members(value).flat() : [value];
  return flat.map((part) => encoder(toText(part)));
}

/** The writer for a member, if it has one of its own. */
export function ownWriter<Writer>(writers: Writers<Writer> | undefined, name: string): Writer | undefined {
  return writers && Object.hasOwn(writers, name) ? writers[name] : undefined;
}

/** Query and cookie style `form` with `explode`: `color=blue&color=black`, `R=100&G=200`. */
export const writeForm: PairWriter = (name, value, encoder = encode) => {
  const pairs: [string, unknown][] = Array.isArray(value)
    ? items(value).map((item) => [name, item])
    : typeof value === 'object'
      ? members(value)
      : [[name, value]];
  return pairs.map(([key, member]) => `${encode(key)}=${encoder(toText(member))}`);
};

/** Path and header style `simple`: `blue,black`, `R,100,G,200`. */
export const writeSimple: TextWriter = (_name, value, encoder = encode) => parts(value, encoder).join(',');

/** All members as pieces, each by its own writer or as an exploded form. */
export function writePairs(values: unknown, writers?: Writers<PairWriter>): string[] {
  return members(values).flatMap(([name, value]) => (ownWriter(writers, name) ?? writeForm)(name, value));
}
