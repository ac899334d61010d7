import { coerceText } from './coerce-text.js';
import { type Fields, decodeFormText } from './fields.js';
import { DecodeError } from './decode-error.js';
import { setMember } from './json-integers.js';
import { ANY_CASE, DELIMITERS, type FieldRule, isOnly, isSpread, readPlain } from './plain-field.js';
import type { DecodeHints } from './text-shape.js';

/** Reads one value from the fields; `undefined` if it is absent. @throws DecodeError */
export type DecodeField = (fields: Fields) => unknown;

export function createFieldDecoder(rule: FieldRule): DecodeField {
  if (rule.style === 'deepObject')
    return (fields) => readDeepFields(rule.name, fields, rule.shape) ?? readAny(rule, fields);
  if (isOnly(rule.shape, 'object') && isSpread(rule)) return (fields) => readExplodedObject(rule, fields);
  return (fields) => readAny(rule, fields);
}

function readAny(rule: FieldRule, fields: Fields): unknown {
  const readOne = isOnly(rule.shape, 'object') ? (raw: string) => readJoinedObject(rule, raw) : undefined;
  const raws = fields.get(rule.name);
  return raws && readPlain(rule, raws, coerceText, readOne);
}

/** Reads `color=R,100,G,200`, or JSON, which many clients send instead. */
function readJoinedObject({ shape, decode, style }: FieldRule, raw: string): unknown {
  const text = decode(raw);
  if (text.startsWith('{')) return coerceText(text, shape, ANY_CASE);
  const pieces = raw.split(DELIMITERS[style] ?? /,/).map(decode);
  if (pieces.length % 2 === 1) return text;
  const out: Record<string, unknown> = {};
  for (let index = 0; index < pieces.length; index += 2) {
    const name = pieces[index] ?? '';
    setMember(out, name, coerceText(pieces[index + 1] ?? '', shape.member(name), ANY_CASE));
  }
  return out;
}

/** Reads an object whose members are fields themselves: `R=100&G=200`. */
function readExplodedObject(rule: FieldRule, fields: Fields): unknown {
  const { shape, taken, name: own, decode } = rule;
  let out: Record<string, unknown> | undefined;
  for (const [name, raws] of fields) {
    if (!shape.names.has(name) && (!shape.free || taken.has(name))) continue;
    const member = shape.member(name);
    const value = readAny(
      { name, style: 'form', explode: true, shape: member, allowEmptyValue: false, taken, decode },
      new Map([[name, raws]]),
    );
    out ??= {};
    setMember(out, name, value);
  }
  return out ?? readAny({ ...rule, name: own, explode: false }, fields);
}

const MAX_DEPTH = 32;

/** A partly read value: members by name, or texts. */
interface Branch {
  readonly texts: string[];
  readonly members: Map<string, Branch>;
}

/** Reads `name[a]=1&name[b][c]=2&name[]=3&name[0]=4`. Returns `undefined` if the name is absent. */
function readDeepFields(name: string, fields: Fields, shape: DecodeHints): unknown {
  const prefix = `${name}[`;
  let root: Branch | undefined;
  for (const [key, values] of fields) {
    if (!key.startsWith(prefix)) continue;
    const path = splitPath(key.slice(name.length));
    if (path === undefined) continue;
    root ??= createBranch();
    branchAt(root, path).texts.push(...values.map(decodeFormText));
  }
  return root === undefined ? undefined : toValue(root, shape);
}

/** Splits `[a][b]` into `['a', 'b']`. */
function splitPath(text: string): string[] | undefined {
  const path = [...text.matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key ?? '');
  if (path.length === 0 || path.reduce((sum, key) => sum + key.length + 2, 0) !== text.length) return undefined;
  if (path.length > MAX_DEPTH) throw new DecodeError(`must NOT be nested deeper than ${MAX_DEPTH} levels`);
  return path;
}

function branchAt(root: Branch, path: readonly string[]): Branch {
  return path.reduce((branch, key) => {
    const known = branch.members.get(key) ?? createBranch();
    branch.members.set(key, known);
    return known;
  }, root);
}

function createBranch(): Branch {
  return { texts: [], members: new Map() };
}

function toValue({ texts, members }: Branch, shape: DecodeHints): unknown {
  if (members.size > 0) return isList(members, shape) ? toList(members, shape) : toObject(members, shape);
  if (texts.length > 1 || (shape.types.has('array') && shape.types.size === 1)) {
    return texts.map((text) => coerceText(text, shape.item(), ANY_CASE));
  }
  return coerceText(texts[0] ?? '', shape, ANY_CASE);
}

function isList(members: ReadonlyMap<string, Branch>, { types }: DecodeHints): boolean {
  if (types.has('object') && !types.has('array')) return false;
  return [...members.keys()].every((key) => /^\d*$/.test(key));
}

/** Makes a list. Indexes only give the order, so a large one needs no memory. */
function toList(members: ReadonlyMap<string, Branch>, shape: DecodeHints): unknown[] {
  const ordered = [...members].sort(([one], [other]) => Number(one) - Number(other));
  return ordered.flatMap(([key, branch]) =>
    key === '' && branch.members.size === 0
      ? branch.texts.map((text) => coerceText(text, shape.item(), ANY_CASE))
      : [toValue(branch, shape.item())],
  );
}

function toObject(members: ReadonlyMap<string, Branch>, shape: DecodeHints): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, branch] of members) setMember(out, name, toValue(branch, shape.member(name)));
  return out;
}
