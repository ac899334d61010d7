import type { Schema, SchemaObject } from '../../emitter-kit/contract.js';
import { containsConversion, reportLoss } from './conversions.js';
import { printArray } from './print-array.js';
import { printCombined } from './print-combined.js';
import { printMetadata } from './print-metadata.js';
import { printObject } from './print-object.js';
import { printEnum, printNumber, printString } from './print-scalar.js';
import { printUnion } from './print-union.js';
import {
  type Printed,
  type ZodScope,
  anySchema,
  assertionsOf,
  both,
  call,
  isEmpty,
  typeText,
  unsayable,
} from './scope.js';

/** Prints a schema as an expression. The value that it makes accepts exactly what the validators accept. */
export function printSchema(schema: Schema, given: ZodScope): Printed {
  const scope = given.isNamed ? { ...given, isNamed: false } : given;
  if (typeof schema === 'boolean') return { code: schema ? 'z.unknown()' : 'z.never()', infers: true };
  if (schema.$ref !== undefined && Object.keys(assertionsOf(schema)).length === 1) {
    const printed = branded(schema, printReference(scope.api.refName(schema.$ref), scope), scope);
    return { ...printed, code: printMetadata(printed.code, schema, {}, scope) };
  }
  return finish(schema, printStructure(schema, scope), scope);
}

/** A reference to an id may have a brand of its own, which exists only in types. */
function branded(schema: SchemaObject, printed: Printed, scope: ZodScope): Printed {
  const { ids } = scope.kit.types;
  if (ids !== 'branded' || scope.isTyped || !scope.kit.options.brands || schema.$ref === undefined) return printed;
  const isSame = typeText(schema, scope, false) === typeText({ $ref: schema.$ref }, scope, false);
  if (isSame) return printed;
  scope.helpers.add('typed');
  return { code: `typed<${typeText(schema, scope)}>()(${printed.code})`, infers: true };
}

/** Adds what the structure does not say: the compiled check of the rest, the type, metadata. */
export function finish(schema: SchemaObject, printed: Printed, scope: ZodScope, type?: () => string): Printed {
  const rest = both(printed.rest ?? {}, unsayable(schema));
  let { code, isObject = false } = printed;
  if (!isEmpty(rest)) {
    const check = scope.kit.names.import(scope.file, scope.checks.of(rest, scope.direction));
    scope.helpers.add('rt');
    const isFirst = needsRawValue(schema, scope);
    code = isFirst ? call('guarded', scope, check, code) : `${code}.check(rt.exact(${check}))`;
    isObject &&= !isFirst;
  }
  if (!printed.infers && !scope.isTyped) {
    scope.helpers.add('typed');
    code = `typed<${type?.() ?? typeText(schema, scope)}>()(${code})`;
    isObject = false;
  }
  code = printMetadata(code, schema, { ...(isEmpty(rest) ? {} : rest), ...printed.meta }, scope);
  return { code, infers: true, isObject };
}

/** Whether the compiled check must see the value before Zod converts it or removes members. */
function needsRawValue(schema: SchemaObject, scope: ZodScope): boolean {
  const { unknownKeys, defaults } = scope.kit.options;
  // Zod removes a member `__proto__`.
  if (containsConversion(schema, scope) || Object.hasOwn(schema.properties ?? {}, '__proto__')) return true;
  const changes = unknownKeys === 'strip' || defaults === 'apply';
  return changes && !isScalar(schema);
}

function isScalar({ type }: SchemaObject): boolean {
  return type !== undefined && [type].flat().every((one) => one !== 'object' && one !== 'array');
}

function printReference(name: string, scope: ZodScope): Printed {
  const target = scope.refer(name, scope.direction);
  if (target.isReady) return { code: target.name, infers: true, isObject: target.isObject };
  if (scope.late !== undefined) {
    scope.late.isUsed = true;
    return { code: target.name, infers: true };
  }
  const type = anySchema(typeText({ $ref: scope.api.refTo(name) }, scope), scope);
  return { code: `z.lazy((): ${type} => ${target.name})`, infers: true };
}

/** Prints the parts of a schema that Zod has words for. */
export function printStructure(schema: SchemaObject, scope: ZodScope): Printed {
  const { type } = schema;
  if (schema.$ref !== undefined || schema.allOf !== undefined) return printCombined(schema, scope);
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return printUnion(schema, scope);
  if (schema.const !== undefined || schema.enum !== undefined) return printEnum(schema, scope);
  if (type === undefined) return printUntyped(schema, scope);
  if (typeof type === 'string') return printOfType(type, schema, scope);
  const types = type.filter((one) => one !== 'integer' || !type.includes('number'));
  const named = types.filter((one) => one !== 'null');
  const parts = named.map((one) => printOfType(one, { ...schema, type: one }, scope));
  const [first] = parts;
  const code =
    parts.length === 1 ? (first?.code ?? 'z.null()') : `z.union([${parts.map((part) => part.code).join(', ')}])`;
  const meta = Object.assign({}, ...parts.map((part) => part.meta ?? {})) as object;
  return {
    code: types.includes('null') ? (parts.length === 0 ? 'z.null()' : `z.nullable(${code})`) : code,
    infers: parts.every(({ infers }) => infers) && !isBranded(schema, scope),
    ...restOfTypes(parts, schema),
    ...(isEmpty(meta) ? {} : { meta: { ...assertionsOf(schema), anyOf: undefined, multipleOf: schema.multipleOf } }),
  };
}

/** Whether an id has a brand. The printer of types knows it by the schema itself, not by a copy. */
function isBranded(schema: SchemaObject, scope: ZodScope): boolean {
  const { kit } = scope;
  if (kit.types.ids !== 'branded' || !kit.options.brands || scope.isTyped) return false;
  return typeText(schema, scope, false) !== typeText({ ...schema }, scope, false);
}

function restOfTypes(parts: readonly Printed[], schema: SchemaObject): Pick<Printed, 'rest'> {
  const hasRest = parts.some(({ rest = {} }) => !isEmpty(rest));
  return hasRest ? { rest: assertionsOf(schema) } : {};
}

function printOfType(type: string, schema: SchemaObject, scope: ZodScope): Printed {
  switch (type) {
    case 'string':
      return printString(schema, scope);
    case 'integer':
    case 'number':
      return printNumber(schema, scope);
    case 'array':
      return printArray(schema, scope);
    case 'object':
      return printObject(schema, scope);
    case 'boolean':
      return {
        code: scope.kit.options.coerce ? call('fromText', scope, 'z.boolean()', "{ as: 'boolean' }") : 'z.boolean()',
        infers: true,
      };
    default:
      return { code: 'z.null()', infers: true };
  }
}

const SCALAR_KEYWORDS = [
  ...(['minLength', 'maxLength', 'pattern', 'format', 'contentMediaType'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const),
];

/** Any value, which a compiled check restricts. Its parts are not converted. */
function unknownValue(schema: SchemaObject, scope: ZodScope, infers: boolean): Printed {
  reportLoss(schema, scope);
  return { code: 'z.unknown()', infers, rest: assertionsOf(schema) };
}

/** Without `type`, a keyword restricts only values of its own type: an object with members may also be a text. */
function printUntyped(schema: SchemaObject, scope: ZodScope): Printed {
  const { properties, patternProperties, additionalProperties, items, prefixItems } = schema;
  const isObject = [properties, patternProperties, additionalProperties].some((one) => one !== undefined);
  const isList = items !== undefined || prefixItems !== undefined;
  const hasScalars = SCALAR_KEYWORDS.some((key) => schema[key] !== undefined);
  if (isObject === isList || hasScalars) return unknownValue(schema, scope, !isObject && !isList);
  const printed = isObject ? printObject(schema, scope) : printArray(schema, scope);
  const other = isObject ? 'notObject' : 'notArray';
  scope.helpers.add(other);
  return {
    code: `z.union([${printed.code}, ${other}])`,
    infers: printed.infers,
    ...(printed.rest === undefined ? {} : { rest: printed.rest }),
    meta: { ...assertionsOf(schema), anyOf: undefined },
  };
}
