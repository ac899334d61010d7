import { ARRAY_KEYWORDS } from './array-keywords.js';
import { type CodeNode, guard, when } from './code.js';
import { COMBINING_KEYWORDS } from './combining-keywords.js';
import { OBJECT_KEYWORDS } from './object-keywords.js';
import { NUMBER_KEYWORDS, STRING_KEYWORDS } from './scalar-keywords.js';
import { type PrintKeyword, failCode } from './print-keyword.js';
import { isOtherType, isTextEnum, declaredTypes } from './types.js';
import { UNEVALUATED_KEYWORDS } from './unevaluated-keywords.js';

/** The keywords that apply to values of one type only. */
const GROUPS: readonly (readonly [
  type: string,
  isOfType: (data: string, bigints: boolean) => string,
  keywords: readonly PrintKeyword[],
])[] = [
  ['number', isNumber, NUMBER_KEYWORDS],
  ['string', (data) => `typeof ${data} === "string"`, STRING_KEYWORDS],
  ['array', (data) => `Array.isArray(${data})`, ARRAY_KEYWORDS],
  ['object', (data) => `rt.isObject(${data})`, OBJECT_KEYWORDS],
];

function isNumber(data: string, bigints: boolean): string {
  const isDouble = `typeof ${data} === "number"`;
  return bigints ? `(${isDouble} || typeof ${data} === "bigint")` : isDouble;
}

/** Prints `type`, and the keywords that depend on it. */
const checkType: PrintKeyword = (schema, spot, printer) => {
  const types = declaredTypes(schema);
  const bodies = GROUPS.flatMap(([type, isOfType, keywords]) => {
    if (types !== undefined && !types.some((one) => groupOf(one) === type)) return [];
    const body = keywords.flatMap((print) => print(schema, spot, printer));
    return body.length === 0 ? [] : [{ condition: isOfType(spot.data, printer.scope.bigints), body }];
  });
  const rest = bodies.flatMap(({ condition, body }) => when(condition, body));
  if (types === undefined) return rest;
  const [isOther, fail] = [
    isOtherType(types, spot.data, printer.scope),
    failCode(spot, 'failType', JSON.stringify(schema.type)),
  ];
  const [only] = bodies;
  if (types.length === 1 && bodies.length === 0 && isTextEnum(schema)) return [];
  if (types.length === 1 && only?.body.length === 1 && seesType(only.body[0])) return only.body;
  if (types.length === 1 && types[0] !== 'bytes' && only !== undefined) {
    const [first, ...others] = only.body;
    return !spot.isRoot && typeof first === 'object' && 'condition' in first && others.length === 0
      ? [guard(`(${isOther} ? ${fail} : ${first.condition})`)]
      : when(isOther, [guard(fail)], only.body);
  }
  return [guard(isOther, fail), ...rest];
};

function seesType(node: CodeNode | undefined): boolean {
  return typeof node === 'object' && 'seesType' in node && (node.seesType ?? false);
}

function groupOf(type: string): string {
  if (type === 'integer') return 'number';
  return type === 'bytes' ? 'string' : type;
}

/** All keywords in the order of their checks; those that need to know what others have evaluated come last. */
export const KEYWORDS: readonly PrintKeyword[] = [checkType, ...COMBINING_KEYWORDS, ...UNEVALUATED_KEYWORDS];
