import { ARRAY_KEYWORDS } from './array-keywords.js';
import { type CodeNode, guard, when } from './code.js';
import { COMBINING_KEYWORDS } from './combining-keywords.js';
import { OBJECT_KEYWORDS } from './object-keywords.js';
import { NUMBER_KEYWORDS, STRING_KEYWORDS } from './scalar-keywords.js';
import {
  type KeywordGroup,
  type PrintKeyword,
  childSpot,
  failCode,
  keywordGroup,
  printGroup,
} from './print-keyword.js';
import { isOtherType, isTextEnum, declaredTypes } from './types.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The keywords that apply to values of one type only. */
const GROUPS: readonly (readonly [
  type: string,
  isOfType: (data: string, bigints: boolean) => string,
  keywords: KeywordGroup,
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
    const body = printGroup(keywords, schema, spot, printer);
    return body.length === 0 ? [] : [{ condition: isOfType(spot.data, printer.scope.bigints), body }];
  });
  const rest = bodies.flatMap(({ condition, body }) => when(condition, body));
  if (types === undefined) return rest;
  const [isOther, fail] = [
    isOtherType(types, spot.data, printer.scope),
    failCode(spot, 'failType', stringifyExactJson(schema.type)),
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

const unevaluatedProperties: PrintKeyword = ({ unevaluatedProperties: schema }, spot, printer) => {
  if (schema === undefined || spot.evaluated === undefined) return [];
  const [key, value] = [printer.variable('key'), printer.variable('value')];
  const isNew = `!${spot.evaluated}.has(${key})`;
  const member = childSpot(value, spot.path.step(`rt.toPointerSegment(${key})`));
  const mark = `${spot.evaluated}.add(${key});`;
  const body =
    schema === false
      ? [guard(isNew, failCode(spot, 'failUnevaluated', key))]
      : when(isNew, [mark, `const ${value} = ${spot.data}[${key}];`, ...printer.schema(schema, member)]);
  return when(`rt.isObject(${spot.data})`, [{ head: `for (const ${key} in ${spot.data})`, body }]);
};

const unevaluatedItems: PrintKeyword = ({ unevaluatedItems: schema }, spot, printer) => {
  if (schema === undefined || spot.evaluated === undefined) return [];
  const [index, item] = [printer.variable('i'), printer.variable('item')];
  const isNew = `!${spot.evaluated}.has(${index})`;
  const child = childSpot(item, spot.path.step(index));
  const mark = `${spot.evaluated}.add(${index});`;
  const body =
    schema === false
      ? when(isNew, [guard(failCode(spot, 'failCount', '"unevaluatedItems"', index)), 'break;'])
      : when(isNew, [mark, `const ${item} = ${spot.data}[${index}];`, ...printer.schema(schema, child)]);
  const head = `for (let ${index} = 0; ${index} < ${spot.data}.length; ${index} += 1)`;
  return when(`Array.isArray(${spot.data})`, [{ head, body }]);
};

/** The keywords that need to know what others have evaluated. */
const UNEVALUATED_KEYWORDS = keywordGroup({ unevaluatedProperties, unevaluatedItems });

/** Prints all keywords of a schema in the order of their checks. */
export const printKeywords: PrintKeyword = (schema, spot, printer) => [
  ...checkType(schema, spot, printer),
  ...printGroup(COMBINING_KEYWORDS, schema, spot, printer),
  ...printGroup(UNEVALUATED_KEYWORDS, schema, spot, printer),
];
