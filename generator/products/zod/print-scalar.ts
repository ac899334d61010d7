import type { SchemaObject } from '../../emitter-kit/contract.js';
import {
  type Check,
  type Printed,
  type ZodScope,
  assertionsOf,
  call,
  convertsValues,
  isEmpty,
  pick,
  typeText,
  withChecks,
} from './scope.js';

/** Formats for which Zod has a schema that accepts the same texts. */
const SAME_FORMATS: Readonly<Record<string, string>> = {
  uuid: 'z.guid()',
  date: 'z.iso.date()',
  ipv4: 'z.ipv4()',
};

export function printString(schema: SchemaObject, scope: ZodScope): Printed {
  const { format, minLength = 0, maxLength, pattern, contentMediaType, contentEncoding } = schema;
  // The validators take a Blob or a similar object for a binary text.
  if (format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined))
    return { code: 'z.unknown()', infers: false, rest: assertionsOf(schema), meta: { ...assertionsOf(schema) } };
  const { kit } = scope;
  const regex = pattern === undefined ? undefined : kit.print.pattern(pattern);
  const checks: Check[] = [
    ...(minLength > 0 ? [['min', 'minLength', String(minLength)] as const] : []),
    ...(maxLength === undefined ? [] : [['max', 'maxLength', String(maxLength)] as const]),
    ...(regex === undefined ? [] : [['regex', 'regex', regex] as const]),
  ];
  const code = withChecks(printFormat(format, scope), checks, scope);
  const rest = pattern !== undefined && regex === undefined ? ({ type: 'string', pattern } as const) : {};
  return printScalar(code, { schema, json: 'string', rest }, scope);
}

function printFormat(format: string | undefined, scope: ZodScope): string {
  const { kit } = scope;
  const test =
    format === undefined || kit.options.formats === 'annotate' ? undefined : kit.print.format(format, 'string');
  if (format === undefined || test === undefined) return 'z.string()';
  const same = SAME_FORMATS[format];
  if (same !== undefined) return same;
  scope.helpers.add('fmt');
  return `z.stringFormat(${kit.print.literal(format)}, fmt.${test})`;
}

const BOUNDS = [
  ['minimum', 'gte', 'gte'],
  ['maximum', 'lte', 'lte'],
  ['exclusiveMinimum', 'gt', 'gt'],
  ['exclusiveMaximum', 'lt', 'lt'],
] as const;

export function printNumber(schema: SchemaObject, scope: ZodScope): Printed {
  const { kit } = scope;
  const { type, format = '', multipleOf } = schema;
  const test = kit.options.formats === 'annotate' ? undefined : kit.print.format(format, 'number');
  const isWhole = type === 'integer';
  const isSmall = test !== undefined && /^u?int32$/.test(format);
  const bounds = BOUNDS.flatMap(([key, method, name]): Check[] =>
    typeof schema[key] === 'number' ? [[method, name, String(schema[key])]] : [],
  );
  const isStepSaid = isWhole && Number.isSafeInteger(multipleOf);
  const checks: Check[] = isStepSaid ? [...bounds, ['multipleOf', 'multipleOf', String(multipleOf)]] : bounds;
  const unsaid = [
    ...BOUNDS.flatMap(([key]) => (typeof schema[key] === 'bigint' ? [key] : [])),
    ...(multipleOf === undefined || isStepSaid ? [] : (['multipleOf'] as const)),
    ...(test === undefined || isSmall ? [] : (['format'] as const)),
  ];
  const rest = unsaid.length === 0 ? {} : pick(schema, unsaid);
  const whole = isStepSaid || isSafe(schema) ? base(isSafe(schema)) : wholeNumber(scope);
  const code = withChecks(isSmall ? `z.${format}()` : isWhole ? whole : 'z.number()', checks, scope);
  const meta = isWhole || isSmall ? { meta: numberMeta(schema) } : {};
  const read = kit.options.coerce ? call('fromText', scope, code, "{ as: 'number' }") : code;
  return { ...printScalar(read, { schema, json: 'number', rest }, scope), ...meta };
}

function base(isSafe: boolean): string {
  return isSafe ? 'z.int()' : 'z.number()';
}

/** Zod's integers end at 2^53, those of JSON Schema do not. */
function wholeNumber({ kit }: ZodScope): string {
  return kit.options.variant === 'mini' ? 'z.number().check(z.multipleOf(1))' : 'z.number().multipleOf(1)';
}

/** Whether bounds exclude the integers that a double cannot tell apart. A bigint as a bound is never one of these. */
function isSafe(schema: SchemaObject): boolean {
  return BOUNDS.every(([key]) => typeof schema[key] !== 'bigint') && hasSafeBounds(schema);
}

function hasSafeBounds({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: SchemaObject): boolean {
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  return least >= Number.MIN_SAFE_INTEGER && most <= Number.MAX_SAFE_INTEGER;
}

/** The keywords as the spec has them, where Zod states more. */
function numberMeta(schema: SchemaObject): Readonly<Record<string, unknown>> {
  const { type, format, multipleOf, minimum, maximum } = schema;
  return { type, format, multipleOf, minimum, maximum };
}

interface Scalar {
  readonly schema: SchemaObject;
  /** The type of the JSON value. */
  readonly json: 'string' | 'number';
  readonly rest: SchemaObject;
}

/** Codecs of `runtime/codecs.ts` and the schemas of what they give, by the type of the program. */
const CONVERSIONS: Readonly<Record<string, readonly [codec: string, schema: string]>> = {
  'Date date-time': ['dateTime', 'z.date()'],
  'Date date': ['dateOnly', 'z.date()'],
  'Temporal.Instant date-time': ['temporalInstant', 'z.custom<Temporal.Instant>()'],
  'Temporal.PlainDate date': ['temporalDate', 'z.custom<Temporal.PlainDate>()'],
  'bigint int64': ['bigInteger', 'z.bigint()'],
  'bigint uint64': ['bigInteger', 'z.bigint()'],
  'string int64': ['integerText', 'z.string()'],
  'string uint64': ['integerText', 'z.string()'],
};

/** Adds the conversion and the brand that the types of the output have. */
function printScalar(code: string, { schema, json, rest }: Scalar, scope: ZodScope): Printed {
  const { kit } = scope;
  const isPlain = !convertsValues(kit) && kit.types.ids === 'string';
  if (isPlain) return { code, infers: true, rest };
  const type = typeText(schema, scope, false);
  if (type === json) return { code, infers: true, rest };
  const [codec, target] = (convertsValues(kit) ? CONVERSIONS[`${type} ${schema.format ?? ''}`] : undefined) ?? [];
  // A brand exists only in types.
  if (codec === undefined || target === undefined) return { code, infers: !kit.options.brands, rest };
  const from = json === 'number' ? call('long', scope, code, `z.${schema.format ?? 'int64'}()`) : code;
  scope.helpers.add('codecs');
  return { code: call('converted', scope, from, target, `codecs.${codec}`), infers: true, rest };
}

export function printEnum(schema: SchemaObject, scope: ZodScope): Printed {
  const values = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  const { const: value, enum: _values, type, ...others } = assertionsOf(schema);
  const isAnyCase = schema['x-enum-any-case'] === true && scope.direction === 'request';
  const isScalar = values.every((one) => ['string', 'number', 'boolean'].includes(typeof one) || one === null);
  if (isAnyCase || !isScalar || values.length === 0 || (value !== undefined && schema.enum !== undefined))
    return { code: 'z.unknown()', infers: false, rest: assertionsOf(schema), meta: { ...assertionsOf(schema) } };
  const fits = type === undefined || values.every((one) => [type].flat().some((name) => isOfType(one, name)));
  const rest = { ...(fits ? {} : { type }), ...others } as SchemaObject;
  return {
    code: printLiterals(values, scope),
    infers: true,
    ...(isEmpty(rest) ? {} : { rest }),
    meta: {
      type: schema.type,
      ...(schema.const === undefined ? { enum: values, const: undefined } : { const: value, enum: undefined }),
      anyOf: undefined,
    },
  };
}

function printLiterals(values: readonly unknown[], { kit }: ZodScope): string {
  const printed = [...new Set(values)].map((value) => (Object.is(value, -0) ? '0' : kit.print.literal(value)));
  if (printed.length === 1) return `z.literal(${printed[0] ?? ''})`;
  return `z.${values.every((value) => typeof value === 'string') ? 'enum' : 'literal'}([${printed.join(', ')}])`;
}

function isOfType(value: unknown, type: string): boolean {
  if (value === null) return type === 'null';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}
