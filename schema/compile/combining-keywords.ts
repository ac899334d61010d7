import { toLiteral } from '../../model/identifiers.js';
import { isRecord, textsIn } from '../../model/document/records.js';
import type { Discriminator, Schema } from '../../model/schema-types.js';
import { ALWAYS, type CodeNode, PathCode, guard, negate, parenthesise } from './code.js';
import type { ModuleScope } from './module-scope.js';
import {
  type KeywordGroup,
  type PrintKeyword,
  type Printer,
  type Spot,
  failCode,
  keywordGroup,
} from './print-keyword.js';
import { isTextEnum } from './types.js';
import { type UnionTags, decidingTags, requiredOfBranches, unionTags } from './union-tags.js';

/** Above this number of values, they are looked up in a set. */
const MOST_COMPARED = 8;

const checkEnum: PrintKeyword = (schema, spot, { scope }) => {
  const { enum: values } = schema;
  if (values === undefined) return [];
  if (values.length === 0) return [guard(failCode(spot, 'failEnum', '[]'))];
  const list = scope.constant(values);
  const fail = isTextEnum(schema) ? failCode(spot, 'failTexts', list, spot.data) : failCode(spot, 'failEnum', list);
  if (schema['x-enum-any-case'] === true) return [guard(`!rt.isListedInAnyCase(${list}, ${spot.data})`, fail)];
  if (values.some((value) => typeof value === 'object' && value !== null))
    return [guard(`!rt.isListed(${list}, ${spot.data})`, fail)];
  const data = comparedCode(values, spot, scope);
  if (values.length > MOST_COMPARED) return [guard(`!${scope.set(values)}.has(${data})`, fail)];
  return [guard(`!${list}.includes(${data})`, fail)];
};

const checkConst: PrintKeyword = (schema, spot, { scope }) => {
  if (!Object.hasOwn(schema, 'const')) return [];
  const isNested = typeof schema.const === 'object' && schema.const !== null;
  const value = isNested ? scope.constant(schema.const) : toLiteral(schema.const);
  const data = comparedCode([schema.const], spot, scope);
  const differs = isNested ? `!rt.isEqual(${spot.data}, ${value})` : `${data} !== ${value}`;
  return [guard(differs, failCode(spot, 'failConst', value))];
};

/**
 * Prints the value to compare with constants. Constants beyond the precision of doubles are rounded, so the value is
 * too.
 */
function comparedCode(constants: readonly unknown[], { data }: Spot, { bigints }: ModuleScope): string {
  const isRounded = constants.some((value) => Number.isInteger(value) && !Number.isSafeInteger(value));
  return bigints && isRounded ? `rt.roundBigint(${data})` : data;
}

const checkRef: PrintKeyword = ({ $ref }, spot, printer) => ($ref === undefined ? [] : printer.reference($ref, spot));

const checkNot: PrintKeyword = ({ not }, spot, printer) => {
  if (not === undefined) return [];
  const sets = forbiddenMembers(not);
  const fail = failCode(spot, 'failNot', ...(sets.length === 0 ? [] : [toLiteral(sets)]));
  // Members that the schema of `not` evaluates do not count as evaluated.
  const { evaluated: _evaluated, ...inside } = spot;
  const isNever = typeof not === 'boolean';
  return not === false ? [] : [guard(...(isNever ? [] : [negate(printer.failsCode(not, inside))]), fail)];
};

/**
 * Returns the sets of members that a schema in `not` forbids to be present together. Empty if the schema contains
 * anything else.
 */
function forbiddenMembers(schema: Schema): readonly (readonly string[])[] {
  const choices = isRecord(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema];
  const sets = choices.map(requiredOnly);
  return sets.every((names) => names.length > 0) ? sets : [];
}

/** The members that a schema requires, if it has hardly any other keyword. */
function requiredOnly(schema: unknown): readonly string[] {
  if (!isRecord(schema) || !Object.keys(schema).every((keyword) => MEMBER_KEYWORDS.has(keyword))) return [];
  return textsIn(schema['required']);
}

const MEMBER_KEYWORDS: ReadonlySet<string> = new Set(['required', 'properties', 'type']);

const checkAllOf: PrintKeyword = ({ allOf = [] }, spot, printer) => allOf.flatMap((part) => printer.schema(part, spot));

const checkUnion =
  (keyword: 'anyOf' | 'oneOf'): PrintKeyword =>
  (schema, spot, printer) => {
    const given = schema[keyword] ?? [];
    if (given.length === 0) return [];
    const branches = keyword === 'anyOf' && schema.discriminator === undefined ? flatten(given) : given;
    if (keyword === 'anyOf' && branches.includes(true) && spot.evaluated === undefined) return [];
    const decided = keyword === 'oneOf' ? decidingTags(branches, schema.discriminator, printer.api) : undefined;
    const fail = failUnion(keyword, { branches, decided, discriminator: schema.discriminator }, spot, printer);
    return [guard(unionFails(keyword, { branches, decided }, spot, printer), fail)];
  };

interface Branches {
  readonly branches: readonly Schema[];
  /** The tags by which a mapping decides on one branch. */
  readonly decided: UnionTags | undefined;
}

/** Prints a call of the runtime function that adds the errors of a union. */
function failUnion(
  keyword: 'anyOf' | 'oneOf',
  { branches, decided, discriminator }: Branches & { readonly discriminator: Discriminator | undefined },
  spot: Spot,
  printer: Printer,
): string {
  if (spot.path === PathCode.none) return ALWAYS;
  const parts = [`keyword: "${keyword}"`, `branches: [${functionsFor(branches, spot, printer)}]`];
  const tags = decided ?? unionTags(branches, discriminator, printer.api);
  if (tags !== undefined) parts.push(`tag: ${toLiteral(tags.member)}`, `tags: ${toLiteral(tags.values)}`);
  const members = keyword === 'oneOf' ? requiredOfBranches(branches, printer.api) : [];
  const isExclusive = members.some((name) => name !== null);
  if (isExclusive) parts.push(`members: ${toLiteral(members)}`);
  const kind = tags !== undefined ? 'TaggedUnion' : isExclusive ? 'ExclusiveUnion' : 'Union';
  const union = printer.scope.declare(`{ ${parts.join(', ')} }`, `rt.${kind}`);
  return `rt.fail${kind}(${spot.data}${spot.path.rest}, ${union})`;
}

function functionsFor(branches: readonly Schema[], spot: Spot, printer: Printer): string {
  return branches.map((branch) => printer.functionFor(branch, spot)).join(', ');
}

function unionFails(keyword: 'anyOf' | 'oneOf', { branches, decided }: Branches, spot: Spot, printer: Printer): string {
  const wanted = keyword === 'anyOf' ? '=== 0' : '!== 1';
  if (decided !== undefined) return decidedFails({ branches, decided }, spot, printer);
  if (spot.evaluated !== undefined)
    return `rt.countValid([${functionsFor(branches, spot, printer)}], ${spot.data}, ${spot.evaluated}) ${wanted}`;
  const fails = branches.map((branch) => printer.failsCode(branch, spot));
  if (keyword === 'anyOf') return fails.map(parenthesise).join(' && ');
  return `${fails.map((code) => `(${code} ? 0 : 1)`).join(' + ')} ${wanted}`;
}

/** Checks a value with a tag of the mapping by its branch alone, and any other value by the rule of `oneOf`. */
function decidedFails(
  { branches, decided }: Branches & { readonly decided: UnionTags },
  spot: Spot,
  printer: Printer,
): string {
  const { data } = spot;
  const byLetter = unionFails('oneOf', { branches, decided: undefined }, spot, printer);
  const tag = `${data}[${toLiteral(decided.member)}]`;
  const cases = branches.map((branch, index) => {
    const tags = decided.values[index] ?? [];
    const isTagged = tags.map((value) => `${tag} === ${toLiteral(value)}`).join(' || ');
    const fails =
      spot.evaluated === undefined
        ? printer.failsCode(branch, spot)
        : `rt.countValid([${printer.functionFor(branch, spot)}], ${data}, ${spot.evaluated}) !== 1`;
    return `${isTagged} ? ${fails} : `;
  });
  return `(rt.isObject(${data}) ? (${cases.join('')}${byLetter}) : ${byLetter})`;
}

/** Flattens alternatives inside alternatives, which nullable schemas often have. */
function flatten(branches: readonly Schema[]): Schema[] {
  return branches.flatMap((branch) => {
    const isOnlyAnyOf = typeof branch === 'object' && Object.keys(branch).length === 1;
    return isOnlyAnyOf && branch.anyOf !== undefined && branch.anyOf.length > 0 ? branch.anyOf : [branch];
  });
}

const checkIf: PrintKeyword = ({ if: condition, then, else: otherwise }, spot, printer) => {
  if (condition === undefined) return [];
  const [thenCode, elseCode] = [clause('then', then, spot, printer), clause('else', otherwise, spot, printer)];
  const isEmpty = thenCode.length === 0 && elseCode.length === 0;
  if (isEmpty && spot.evaluated === undefined) return [];
  const holds =
    spot.evaluated === undefined
      ? negate(printer.failsCode(condition, spot))
      : `rt.countValid([${printer.functionFor(condition, spot)}], ${spot.data}, ${spot.evaluated}) === 1`;
  if (isEmpty) return [`${holds};`];
  if (elseCode.length === 0) return [{ head: `if (${holds})`, body: thenCode }];
  return [{ head: `if (${holds})`, body: thenCode, otherwise: elseCode }];
};

/** Prints a clause, which adds its own error after those of the schema. */
function clause(name: 'then' | 'else', schema: Schema | undefined, spot: Spot, printer: Printer): CodeNode[] {
  const body = schema === undefined ? [] : printer.schema(schema, spot);
  if (body.length === 0 || spot.path === PathCode.none) return body;
  const count = printer.variable('count');
  const fail = failCode(spot, 'failIf', toLiteral(name));
  return [`const ${count} = out?.length;`, ...body, guard(`out?.length !== ${count}`, fail)];
}

export const COMBINING_KEYWORDS: KeywordGroup = keywordGroup({
  $ref: checkRef,
  enum: checkEnum,
  const: checkConst,
  not: checkNot,
  anyOf: checkUnion('anyOf'),
  oneOf: checkUnion('oneOf'),
  allOf: checkAllOf,
  if: checkIf,
});
