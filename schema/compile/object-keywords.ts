import { toLiteral } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';
import { compilePattern } from '../patterns.js';
import { type CodeNode, guard, memberCode, ownMemberCode, when } from './code.js';
import { type PrintKeyword, type Printer, type Spot, childSpot, failCode } from './print-keyword.js';

/** More names than these are looked up in a set. */
const MOST_COMPARED = 8;

const countProperties =
  (keyword: 'minProperties' | 'maxProperties', broken: string): PrintKeyword =>
  (schema, spot) => {
    const limit = schema[keyword];
    if (limit === undefined || (keyword === 'minProperties' && limit <= 0)) return [];
    return [
      guard(`Object.keys(${spot.data}).length ${broken} ${limit}`, failCode(spot, keyword, `{ limit: ${limit} }`)),
    ];
  };

const required: PrintKeyword = ({ required: names = [] }, spot) =>
  [...new Set(names)].map((name) =>
    guard(isMissing(spot.data, name), `rt.failRequired(out, ${spot.path.code}, ${toLiteral(name)})`),
  );

const dependentRequired: PrintKeyword = ({ dependentRequired: dependencies = {} }, spot) =>
  Object.entries(dependencies).flatMap(([property, names]) =>
    names.map((name) => {
      const params = { property, missingProperty: name, depsCount: names.length, deps: names.join(', ') };
      return guard(
        isPresent(spot.data, property),
        isMissing(spot.data, name),
        failCode(spot, 'dependentRequired', toLiteral(params)),
      );
    }),
  );

const dependentSchemas: PrintKeyword = ({ dependentSchemas: schemas = {} }, spot, printer) =>
  Object.entries(schemas).flatMap(([name, schema]) => when(isPresent(spot.data, name), printer.schema(schema, spot)));

const propertyNames: PrintKeyword = ({ propertyNames: schema }, spot, printer) => {
  if (schema === undefined || schema === true) return [];
  const key = printer.variable('key');
  const name = childSpot(key, spot.path);
  const fail = failCode(spot, 'propertyNames', `{ propertyName: ${key} }`);
  const check = printer.functionFor(schema, name);
  const body = guard(`${check}(${key})`, `(${check}(${key}, ${spot.path.argument}, out) || ${fail})`);
  return [{ head: `for (const ${key} in ${spot.data})`, body: [body] }];
};

const properties: PrintKeyword = ({ properties: schemas = {} }, spot, printer) =>
  Object.entries(schemas).flatMap(([name, schema]) => {
    const value = printer.variable('value');
    const body = printer.schema(schema, childSpot(value, spot.path.member(name)));
    const code = [...mark(spot, toLiteral(name)), ...body];
    return code.length === 0
      ? []
      : [`const ${value} = ${ownMemberCode(spot.data, name)};`, ...when(`${value} !== undefined`, code)];
  });

/** `patternProperties` and `additionalProperties`, in one loop over the members. */
const otherProperties: PrintKeyword = (schema, spot, printer) => {
  const { properties: named = {}, patternProperties = {}, additionalProperties: others } = schema;
  const [key, value] = [printer.variable('key'), printer.variable('value')];
  const member = childSpot(value, spot.path.step(`rt.toPointerSegment(${key})`));
  const patterns = Object.entries(patternProperties).flatMap(([pattern, child]) => {
    const compiled = compilePattern(pattern);
    if (compiled === undefined) return [];
    const { name, maxLength } = printer.scope.pattern(pattern, compiled.regexp);
    const matches = `${name}.test(${key})`;
    return [{ test: maxLength === undefined ? matches : `(${key}.length <= ${maxLength} && ${matches})`, child }];
  });
  const matching = patterns.flatMap(({ test, child }) =>
    when(test, [...mark(spot, key), ...printer.schema(child, member)]),
  );
  const isOther = [notNamed(key, Object.keys(named), printer), ...patterns.map(({ test }) => `!${test}`)];
  const condition = isOther.filter((one) => one !== '').join(' && ');
  const body = others === undefined ? [] : otherCode(others, { spot, member, key, printer });
  const rest = condition === '' ? body : when(condition, body);
  if (matching.length === 0 && rest.length === 0) return [];
  const usesValue = [...patterns.map(({ child }) => child), others].some((child) => typeof child === 'object');
  const first = usesValue ? [`const ${value} = ${spot.data}[${key}];`] : [];
  return [{ head: `for (const ${key} in ${spot.data})`, body: [...first, ...matching, ...rest] }];
};

function otherCode(
  schema: Schema,
  { spot, member, key, printer }: { spot: Spot; member: Spot; key: string; printer: Printer },
): CodeNode[] {
  if (schema === false) return [guard(failCode(spot, 'additionalProperties', `{ additionalProperty: ${key} }`))];
  return [...mark(spot, key), ...printer.schema(schema, member)];
}

/** Whether a key is not one of some names. */
function notNamed(key: string, names: readonly string[], { scope }: Printer): string {
  if (names.length > MOST_COMPARED) return `!${scope.set(names)}.has(${key})`;
  return names.map((name) => `${key} !== ${toLiteral(name)}`).join(' && ');
}

function mark({ evaluated }: Spot, key: string): string[] {
  return evaluated === undefined ? [] : [`${evaluated}.add(${key});`];
}

/** `undefined` is no JSON value, so a member that holds it is missing. */
function isMissing(data: string, name: string): string {
  if (!(name in Object.prototype)) return `${memberCode(data, name)} === undefined`;
  return `${ownMemberCode(data, name)} === undefined`;
}

function isPresent(data: string, name: string): string {
  return `${ownMemberCode(data, name)} !== undefined`;
}

export const OBJECT_KEYWORDS: readonly PrintKeyword[] = [
  countProperties('maxProperties', '>'),
  countProperties('minProperties', '<'),
  required,
  dependentRequired,
  propertyNames,
  otherProperties,
  properties,
  dependentSchemas,
];
