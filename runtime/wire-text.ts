import { coerceText } from './coerce-text.js';
import { decodeJson } from './decode-json.js';

/** How the text of a parameter becomes a value. */
export interface WirePlan {
  /** Its type, or the type of its items or members. */
  readonly as: 'string' | 'number' | 'boolean' | 'json';
  /** The separator of the items of a list. A list that is given as a list is taken as it is. */
  readonly split?: string;
  /** Whether it is an object: `a,1,b,2`, or `a=1,b=2` with `equals`. Its members by name. */
  readonly members?: Readonly<Record<string, WirePlan['as']>>;
  readonly equals?: boolean;
  /** Its members are separate texts: `filter[a]` for `deep`, else `a`. */
  readonly spread?: 'deep' | 'plain';
}

/** Texts by name, as frameworks give them. */
export type Texts = Readonly<Record<string, unknown>>;

const HINTS = {
  number: { types: /* @__PURE__ */ new Set(['number'] as const), anyText: false, wide: true },
  boolean: { types: /* @__PURE__ */ new Set(['boolean'] as const), anyText: false, wide: false },
} as const;

/** A text as a value of a type. A text of another form stays, so that its schema refuses it. */
export function readText(text: unknown, as: WirePlan['as']): unknown {
  if (typeof text !== 'string' || as === 'string') return text;
  if (as !== 'json') return coerceText(text, HINTS[as], { anyCase: true });
  try {
    return decodeJson(text);
  } catch {
    return text;
  }
}

/** The value of one parameter. */
export function readWire(value: unknown, { as, split, members, equals = false }: WirePlan): unknown {
  if (members !== undefined) return typeof value === 'string' ? readObject(value, members, equals) : value;
  if (split === undefined) return readText(value, as);
  if (value === undefined) return value;
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? splitText(value, split)
      : [value];
  return items.map((item) => readText(item, as));
}

function splitText(text: string, separator: string): string[] {
  if (separator === '') return [text];
  return text === '' ? [] : text.split(separator);
}

function readObject(text: string, members: Readonly<Record<string, WirePlan['as']>>, equals: boolean): unknown {
  const parts = text.split(',');
  const pairs = equals
    ? parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)] as const)
    : parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parts[index + 1]] as const] : []));
  return Object.fromEntries(pairs.map(([name, part]) => [name, readText(part, asOf(members, name))]));
}

function asOf(members: Readonly<Record<string, WirePlan['as']>>, name: string): WirePlan['as'] {
  return Object.hasOwn(members, name) ? (members[name] ?? 'string') : 'string';
}

/**
 * Collects the parameters of a group by the names of the spec. Names of headers are compared without case, and members
 * of an object that are separate texts are put together.
 */
export function collectTexts(
  texts: unknown,
  {
    names,
    spread = {},
    fold = false,
  }: { names: readonly string[]; spread?: Readonly<Record<string, WirePlan>>; fold?: boolean },
): unknown {
  if (typeof texts !== 'object' || texts === null) return texts;
  const entries = Object.entries(texts);
  const known = new Map(names.map((name) => [fold ? name.toLowerCase() : name, name]));
  const found = new Map(
    entries.map(([name, value]) => [known.get(fold ? name.toLowerCase() : name) ?? name, value as unknown]),
  );
  for (const [name, { spread: how, members = {} }] of Object.entries(spread)) {
    const own = entries.flatMap(([key, value]): [string, unknown][] => {
      const member = how === 'deep' ? deepMember(key, name) : Object.hasOwn(members, key) ? key : undefined;
      if (member === undefined) return [];
      found.delete(key);
      return [[member, readText(value, asOf(members, member))]];
    });
    if (own.length > 0) found.set(name, Object.fromEntries(own));
  }
  return Object.fromEntries(found);
}

function deepMember(key: string, name: string): string | undefined {
  return key.startsWith(`${name}[`) && key.endsWith(']') ? key.slice(name.length + 1, -1) : undefined;
}
