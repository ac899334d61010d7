import { isObject, toPointerSegment } from './json-types.js';
import { type Check, type Out, fail, failRequired } from './validation.js';

/** `anyOf` or `oneOf`. */
export interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly branches: readonly Check[];
  /** A member whose value tells the branches apart, and its values by branch; no values for a branch that says nothing. */
  readonly tag?: string;
  readonly tags?: readonly (readonly unknown[])[];
  /** `oneOf`: the member that each branch requires and no other does, if there is one. */
  readonly members?: readonly (string | null)[];
}

/** Adds the errors of a value that is not valid for a union: those of the branch that the tag chooses, or of all branches. */
export function failUnion(data: unknown, path: string, out: Out, union: Union): boolean {
  if (out === undefined) return true;
  const { keyword, branches, members = [] } = union;
  const passingSchemas = branches.flatMap((branch, index) => (branch(data, '', undefined, new Set()) ? [] : [index]));
  if (passingSchemas.length > 1) {
    const names = passingSchemas.map((index) => members[index]).filter((name) => typeof name === 'string');
    const params = names.length === passingSchemas.length ? { passingSchemas, members: names } : { passingSchemas };
    return fail(out, path, keyword, params);
  }
  const chosen = isObject(data) ? chooseBranches(data, union) : undefined;
  if (chosen?.length === 0) return failTag(data, path, out, union);
  for (const branch of chosen ?? branches) if (branch(data, path, out, new Set())) return true;
  return chosen === undefined && fail(out, path, keyword, keyword === 'oneOf' ? { passingSchemas: null } : {});
}

/** The branches whose tag is that of the value; `undefined` where tags do not decide. */
function chooseBranches(data: object, { branches, tag, tags = [] }: Union): readonly Check[] | undefined {
  if (tag === undefined) return undefined;
  const value = memberOf(data, tag);
  const matching = branches.filter((_branch, index) => tags[index]?.includes(value));
  return matching.length > 0 || tags.every((values) => values.length > 0) ? matching : undefined;
}

function failTag(data: unknown, path: string, out: Out, { tag = '', tags = [] }: Union): boolean {
  if (memberOf(data, tag) === undefined) return failRequired(out, path, tag);
  return fail(out, `${path}/${toPointerSegment(tag)}`, 'enum', { allowedValues: [...new Set(tags.flat())] });
}

function memberOf(data: unknown, name: string): unknown {
  return isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
}
