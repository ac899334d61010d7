import { toLiteral } from '../../model/identifiers.js';
import type { SchemaObject } from '../../model/schema-types.js';
import { FORMATS } from '../known-formats.js';
import { compilePattern } from '../compile-pattern.js';
import { guard } from './code.js';
import { type KeywordGroup, type PrintKeyword, failCode, keywordGroup } from './print-keyword.js';

type Bound = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum';

/** Prints a bound. `broken` and `kept` are the comparisons of a value that violates it and of one that keeps it. */
function bound(keyword: Bound, broken: string, kept: string): PrintKeyword {
  return (schema, spot) => {
    const limit = schema[keyword];
    if (limit === undefined) return [];
    return [
      guard(
        `${spot.data} ${broken} ${limit}`,
        failCode(spot, 'failBound', toLiteral(keyword), `{ comparison: "${kept}", limit: ${limit} }`),
      ),
    ];
  };
}

const multipleOf: PrintKeyword = (schema, spot) => {
  const divisor = schema.multipleOf;
  if (divisor === undefined) return [];
  return [guard(`!rt.isMultipleOf(${spot.data}, ${divisor})`, failCode(spot, 'failMultipleOf', divisor))];
};

const minLength: PrintKeyword = ({ minLength: limit = 0 }, spot) =>
  limit <= 0 ? [] : [guard(`rt.isShorter(${spot.data}, ${limit})`, failCode(spot, 'failCount', '"minLength"', limit))];

const maxLength: PrintKeyword = ({ maxLength: limit }, spot) =>
  limit === undefined ? [] : [guard(isLonger(spot.data, limit), failCode(spot, 'failCount', '"maxLength"', limit))];

/** Prints whether a text is longer than a limit. For a limit of 0, compares with the empty text. */
function isLonger(data: string, limit: number): string {
  return limit === 0 ? `${data} !== ""` : `rt.isLonger(${data}, ${limit})`;
}

const pattern: PrintKeyword = ({ pattern: text }, spot, { scope }) => {
  const compiled = text === undefined ? undefined : compilePattern(text);
  if (text === undefined || compiled === undefined) return [];
  const { name, maxLength } = scope.pattern(text, compiled.regexp);
  const isShort = maxLength === undefined ? [] : [`${spot.data}.length <= ${maxLength}`];
  return [guard(...isShort, `!${name}.test(${spot.data})`, failCode(spot, 'failMatch', '"pattern"', toLiteral(text)))];
};

/** Prints `format` if the type of the schema allows values of the format's type. */
function format(type: 'string' | 'number'): PrintKeyword {
  return (schema, spot, { scope, api }) => {
    if (api.formats === 'annotate') return [];
    const name = schema.format === undefined ? undefined : FORMATS.get(schema.format)?.[type]?.name;
    if (name === undefined || !canBe(type, schema)) return [];
    scope.usesFormats = true;
    return [guard(`!fmt.${name}(${spot.data})`, failCode(spot, 'failMatch', '"format"', toLiteral(schema.format)))];
  };
}

function canBe(type: 'string' | 'number', schema: SchemaObject): boolean {
  const types: readonly string[] = schema.type === undefined ? [type] : [schema.type].flat();
  return types.includes(type) || (type === 'number' && types.includes('integer'));
}

export const NUMBER_KEYWORDS: KeywordGroup = keywordGroup({
  minimum: bound('minimum', '<', '>='),
  maximum: bound('maximum', '>', '<='),
  exclusiveMinimum: bound('exclusiveMinimum', '<=', '>'),
  exclusiveMaximum: bound('exclusiveMaximum', '>=', '<'),
  multipleOf,
  format: format('number'),
});

export const STRING_KEYWORDS: KeywordGroup = keywordGroup({
  maxLength,
  minLength,
  pattern,
  format: format('string'),
});
