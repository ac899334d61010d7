import { toLiteral } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';
import { compilePattern } from '../compile-pattern.js';
import { ALWAYS, type CodeNode, guard, isUsedIn, memberCode, ownMemberCode, when } from './code.js';
import {
  type KeywordGroup,
  type PrintKeyword,
  type Printer,
  type Spot,
  childSpot,
  eachGuard,
  failCode,
} from './print-keyword.js';

/** Above this number of names, they are looked up in a set. */
const MOST_COMPARED = 8;

const countProperties =
  (keyword: 'minProperties' | 'maxProperties', broken: string): PrintKeyword =>
  (schema, spot) => {
    const limit = schema[keyword];
    if (limit === undefined || (keyword === 'minProperties' && limit <= 0)) return [];
    return [
      guard(
        `Object.keys(${spot.data}).length ${broken} ${limit}`,
        failCode(spot, 'failCount', toLiteral(keyword), limit),
      ),
    ];
  };

const required: PrintKeyword = ({ required: names = [] }, spot) =>
  [...new Set(names)].map((name) => guard(isMissing(spot.data, name), failCode(spot, 'failRequired', toLiteral(name))));

const dependentRequired: PrintKeyword = ({ dependentRequired: dependencies = {} }, spot) =>
  Object.entries(dependencies).flatMap(([property, names]) =>
    names.map((name) => {
      const params = { property, missingProperty: name, depsCount: names.length, deps: names.join(', ') };
      const fail = failCode(spot, 'failDependency', toLiteral(params));
      return guard(isPresent(spot.data, property), isMissing(spot.data, name), fail);
    }),
  );

const dependentSchemas: PrintKeyword = ({ dependentSchemas: schemas = {} }, spot, printer) =>
  Object.entries(schemas).flatMap(([name, schema]) => when(isPresent(spot.data, name), printer.schema(schema, spot)));

const propertyNames: PrintKeyword = ({ propertyNames: schema }, spot, printer) => {
  if (schema === undefined || schema === true) return [];
  const key = printer.variable('key');
  const name = childSpot(key, spot.path);
  const check = printer.functionFor(schema, name);
  const fail = failCode(spot, 'failPropertyName', key);
  const body = guard(`${check}(${key})`, fail === ALWAYS ? fail : `(${check}(${key}${spot.path.rest}) || ${fail})`);
  return [{ head: `for (const ${key} in ${spot.data})`, body: [body] }];
};

/**
 * All members use the same variables for name and value, and each name occurs once, so that the repeated code
 * compresses well.
 */
const properties: PrintKeyword = ({ properties: schemas = {} }, spot, printer) => {
  const [key, value] = [printer.variable('key'), printer.variable('value')];
  const members = Object.entries(schemas).flatMap(([name, schema]) => {
    const takesKey = isPlainName(name);
    const place = takesKey ? spot.path.step(key) : spot.path.member(name);
    const body = printer.schema(schema, childSpot(value, place));
    const code = [...mark(spot, toLiteral(name)), ...body];
    return code.length === 0 ? [] : [{ name, usesKey: takesKey && body.some((node) => isUsedIn(key, node)), code }];
  });
  const [text, any] = printer.scope.isTyped ? [': string', ': unknown'] : ['', ''];
  const names = members.some(({ usesKey }) => usesKey) ? [`${key}${text}`, `${value}${any}`] : [`${value}${any}`];
  const lines = members.flatMap(({ name, usesKey, code }) => {
    const read = usesKey ? `${spot.data}[(${key} = ${toLiteral(name)})]` : ownMemberCode(spot.data, name);
    return [`${value} = ${read};`, ...when(`${value} !== undefined`, code)];
  });
  return lines.length === 0 ? [] : [`let ${names.join(', ')};`, ...lines];
};

/** Whether a name needs no escaping in a JSON pointer and is not inherited by all objects. */
function isPlainName(name: string): boolean {
  return !/[~/]/.test(name) && !(name in Object.prototype);
}

/** `patternProperties` and `additionalProperties`, in one loop over the members. */
const otherProperties: PrintKeyword = (schema, spot, printer) => {
  const { properties: named = {}, patternProperties = {}, additionalProperties: others } = schema;
  const [key, value] = [printer.variable('key'), printer.variable('value')];
  const member = childSpot(value, spot.path.step(`rt.toPointerSegment(${key})`));
  const isAlone = Object.keys({ ...named, ...patternProperties }).length === 0 && spot.evaluated === undefined;
  const called = isAlone && others !== undefined ? printer.calledFor(others, member) : undefined;
  if (called !== undefined) return [eachGuard('failsMembers', called, spot)];
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
  const body = others === undefined ? [] : otherCode(others, { spot, member, key, printer });
  const isOther = patterns.map(({ test }) => `!${test}`);
  const rest = body.length === 0 ? [] : whereAll([notNamed(key, Object.keys(named), printer), ...isOther], body);
  if (matching.length === 0 && rest.length === 0) return [];
  const usesValue = [...patterns.map(({ child }) => child), others].some((child) => typeof child === 'object');
  const first = usesValue ? [`const ${value} = ${spot.data}[${key}];`] : [];
  return [{ head: `for (const ${key} in ${spot.data})`, body: [...first, ...matching, ...rest] }];
};

function otherCode(
  schema: Schema,
  { spot, member, key, printer }: { spot: Spot; member: Spot; key: string; printer: Printer },
): CodeNode[] {
  if (schema === false) return [guard(failCode(spot, 'failAdditional', key))];
  return [...mark(spot, key), ...printer.schema(schema, member)];
}

function whereAll(conditions: readonly string[], body: readonly CodeNode[]): readonly CodeNode[] {
  const condition = conditions.filter((one) => one !== '').join(' && ');
  return condition === '' ? body : when(condition, body);
}

function notNamed(key: string, names: readonly string[], { scope }: Printer): string {
  if (names.length > MOST_COMPARED) return `!${scope.set(names)}.has(${key})`;
  return names.map((name) => `${key} !== ${toLiteral(name)}`).join(' && ');
}

function mark({ evaluated }: Spot, key: string): string[] {
  return evaluated === undefined ? [] : [`${evaluated}.add(${key});`];
}

/** Prints whether a member is missing. `undefined` is not a JSON value, so it counts as missing. */
function isMissing(data: string, name: string): string {
  if (!(name in Object.prototype)) return `${memberCode(data, name)} === undefined`;
  return `${ownMemberCode(data, name)} === undefined`;
}

function isPresent(data: string, name: string): string {
  return `${ownMemberCode(data, name)} !== undefined`;
}

/** Printed for each schema: the variables of the printers number those of the whole function. */
export const OBJECT_KEYWORDS: KeywordGroup = {
  printers: [
    countProperties('maxProperties', '>'),
    countProperties('minProperties', '<'),
    required,
    dependentRequired,
    propertyNames,
    otherProperties,
    properties,
    dependentSchemas,
  ],
};
