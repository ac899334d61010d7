/** The types of JSON Schema. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** How to decode a text for a schema, without validation. */
export interface DecodeHints {
  /** The possible types. Empty: any. */
  readonly types: ReadonlySet<JsonType>;
  /** Whether every text is valid, so that texts like `1` or `true` are kept as text. */
  readonly anyText: boolean;
  /** Whether values never contain a comma: numbers, booleans, enums without one. */
  readonly plain: boolean;
  /** Whether the value is a 64-bit integer, which may exceed the precision of doubles. */
  readonly wide: boolean;
  /** Whether the value is bytes. */
  readonly binary: boolean;
  /** The names of described members. */
  readonly names: ReadonlySet<string>;
  /** Whether there is a schema for members that are not described by name. */
  readonly free: boolean;
  member(name: string): DecodeHints;
  item(index?: number): DecodeHints;
}

/** {@link DecodeHints} as data of a generated file. Absent members are empty or false. */
export interface TextShape {
  readonly types: readonly JsonType[];
  readonly anyText?: true;
  readonly plain?: true;
  readonly wide?: true;
  readonly binary?: true;
  readonly members?: Readonly<Record<string, TextShape>>;
  /** Members that are not described by name. */
  readonly rest?: TextShape;
  readonly items?: TextShape;
}

/** The hints of a value of any type. */
export const ANY_HINTS: DecodeHints = {
  types: /* @__PURE__ */ new Set<JsonType>(),
  anyText: true,
  plain: false,
  wide: false,
  binary: false,
  names: /* @__PURE__ */ new Set<string>(),
  free: false,
  member: () => ANY_HINTS,
  item: () => ANY_HINTS,
};

/** The hints of a shape. */
export function readShape(shape: TextShape | undefined): DecodeHints {
  if (shape === undefined) return ANY_HINTS;
  const { types, anyText = false, plain = false, wide = false, binary = false, members = {}, rest, items } = shape;
  const known = new Map(Object.entries(members).map(([name, member]) => [name, readShape(member)]));
  const [others, item] = [readShape(rest), readShape(items)];
  return {
    ...{ types: new Set(types), anyText, plain, wide, binary },
    names: new Set(known.keys()),
    free: rest !== undefined,
    member: (name) => known.get(name) ?? others,
    item: () => item,
  };
}
