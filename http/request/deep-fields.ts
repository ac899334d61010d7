import { setMember } from '../../model/document/records.js';
import { coerceText } from './coerce-text.js';
import { DecodeError } from './decode-error.js';
import { decodeFormText, type Fields } from './fields.js';
import type { DecodeHints } from './decode-hints.js';

const MAX_DEPTH = 32;

/** A value in the making: members by name, or texts. */
interface Branch {
  readonly texts: string[];
  readonly members: Map<string, Branch>;
}

/** Reads `name[a]=1&name[b][c]=2&name[]=3&name[0]=4`. `undefined` if there is no such name. */
export function readDeepFields(name: string, fields: Fields, shape: DecodeHints): unknown {
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

/** `[a][b]` -> `['a', 'b']`. */
function splitPath(text: string): string[] | undefined {
  const path = [...text.matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key ?? '');
  if (path.length === 0 || path.reduce((sum, key) => sum + key.length + 2, 0) !== text.length) return undefined;
  if (path.length > MAX_DEPTH) throw new DecodeError(`must NOT be nested deeper than ${MAX_DEPTH} levels`);
  return path;
}

function branchAt(root: Branch, path: readonly string[]): Branch {
  return path.reduce((branch, key) => {
    const known = branch.members.get(key);
    if (known !== undefined) return known;
    const created = createBranch();
    branch.members.set(key, created);
    return created;
  }, root);
}

function createBranch(): Branch {
  return { texts: [], members: new Map() };
}

function toValue({ texts, members }: Branch, shape: DecodeHints): unknown {
  if (members.size > 0) return isList(members, shape) ? toList(members, shape) : toObject(members, shape);
  if (texts.length > 1 || (shape.types.has('array') && shape.types.size === 1)) {
    return texts.map((text) => coerceText(text, shape.item(), { anyCase: true }));
  }
  return coerceText(texts[0] ?? '', shape, { anyCase: true });
}

function isList(members: ReadonlyMap<string, Branch>, { types }: DecodeHints): boolean {
  if (types.has('object') && !types.has('array')) return false;
  return [...members.keys()].every((key) => /^\d*$/.test(key));
}

/** Numbers give the order and no more, so that a large one costs nothing. */
function toList(members: ReadonlyMap<string, Branch>, shape: DecodeHints): unknown[] {
  const ordered = [...members].sort(([one], [other]) => Number(one) - Number(other));
  return ordered.flatMap(([key, branch]) =>
    key === '' && branch.members.size === 0
      ? branch.texts.map((text) => coerceText(text, shape.item(), { anyCase: true }))
      : [toValue(branch, shape.item())],
  );
}

function toObject(members: ReadonlyMap<string, Branch>, shape: DecodeHints): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, branch] of members) setMember(out, name, toValue(branch, shape.member(name)));
  return out;
}
