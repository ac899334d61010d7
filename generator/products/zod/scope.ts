import type {
  CheckModule,
  Direction,
  EmitterApi,
  EmitterKit,
  EmitterProblem,
  OutputFile,
  Schema,
  SchemaObject,
} from '../../emitter-kit/contract.js';

/** The options of the emitter. */
export interface ZodOptions {
  readonly variant: 'classic' | 'mini';
  readonly unknownKeys: 'loose' | 'strip' | 'strict';
  readonly defaults: 'ignore' | 'apply';
  readonly formats: 'check' | 'annotate';
  readonly dates: 'types' | 'string';
  readonly coerce: boolean;
  readonly metadata: boolean;
  readonly brands: boolean;
}

/** The constant of a named schema. */
export interface Declared {
  readonly name: string;
  /** Whether its type has `.shape`: an object that Zod infers. */
  readonly isObject: boolean;
  /** Whether it is declared before the schema that is printed. */
  readonly isReady: boolean;
}

/** What the printers of one schema know. */
export interface ZodScope {
  readonly api: EmitterApi;
  readonly kit: EmitterKit<ZodOptions>;
  readonly file: OutputFile;
  readonly checks: CheckModule;
  readonly direction: Direction;
  /** The helpers that printed code calls. */
  readonly helpers: Set<string>;
  /** Prints a part of a schema. */
  readonly print: (schema: Schema, scope: ZodScope) => Printed;
  /** Prints the parts of a schema that Zod has words for. */
  readonly structure: (schema: SchemaObject, scope: ZodScope) => Printed;
  /** Finds the constant of a named schema. */
  readonly refer: (name: string, direction: Direction) => Declared;
  /** The schema or operation, for diagnostics. */
  readonly place: { readonly name: string; readonly source: NonNullable<EmitterProblem['source']> };
  /** Whether a type is stated around the schema, so that parts need none. */
  readonly isTyped: boolean;
  /** Whether the schema has a name: the type of an object that extends others is then one interface. */
  readonly isNamed: boolean;
  /** Whether unknown members stay, whatever the options say: in parts that apply together. */
  readonly isLoose: boolean;
  /** Set inside of a member: becomes true if the member refers to a schema that is declared later. */
  readonly late: { isUsed: boolean } | undefined;
}

/** The code of a schema. */
export interface Printed {
  readonly code: string;
  /** Whether Zod infers the type that the types of the output have. */
  readonly infers: boolean;
  /** Whether its type has `.shape`. */
  readonly isObject?: boolean;
  /** What the code does not check; the compiled check of the validators does. */
  readonly rest?: SchemaObject;
  /** Keywords that `z.toJSONSchema` would write differently. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Keywords that restrict no value. */
const ANNOTATIONS = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'discriminator', 'xml'],
  ...['contentEncoding', 'contentSchema'],
]);

/** The keywords that restrict values. */
export function assertionsOf(schema: SchemaObject): SchemaObject {
  // A discriminator decides which branch of a union is checked.
  const hasBranches = schema.oneOf !== undefined || schema.anyOf !== undefined;
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => {
      if (key === 'x-enum-any-case' || (key === 'discriminator' && hasBranches)) return true;
      return !(ANNOTATIONS.has(key) || key.startsWith('x-'));
    }),
  );
}

/** Keywords that no schema of Zod expresses. */
const UNSAYABLE = [
  ...(['not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'contains', 'minContains'] as const),
  ...(['maxContains', 'uniqueItems', 'propertyNames', 'minProperties', 'maxProperties'] as const),
];

/** The part of a schema that is left to a compiled check whatever else it says. */
export function unsayable(schema: SchemaObject): SchemaObject {
  const looksBack = schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined;
  if (looksBack) return assertionsOf(schema);
  return pick(schema, UNSAYABLE);
}

export function pick(schema: SchemaObject, keys: readonly (keyof SchemaObject)[]): SchemaObject {
  return Object.fromEntries(keys.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]])));
}

export function isEmpty(schema: object): boolean {
  return Object.keys(schema).length === 0;
}

/** Both of two schemas that are left over. */
export function both(one: SchemaObject, other: SchemaObject): SchemaObject {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) ? other : one;
  return { allOf: [one, other] };
}

/** Whether values are converted between JSON and the program. */
export function convertsValues({ options, types }: EmitterKit<ZodOptions>): boolean {
  return options.dates === 'types' && (types.dates !== 'string' || types.int64 !== 'number');
}

/** The TypeScript type of a schema. Imports what it refers to. */
export function typeText(schema: Schema, { kit, direction, file }: ZodScope, isImported = true): string {
  const isSent = direction === 'request';
  const way = kit.options.dates === 'string' ? (isSent ? 'json-input' : 'json') : isSent ? 'input' : 'output';
  return kit.print.type(schema, way, isImported ? file : undefined);
}

/** Whether what goes in may differ from what comes out. */
export function differsByWay({ kit }: Pick<ZodScope, 'kit'>): boolean {
  return convertsValues(kit) || kit.options.defaults === 'apply' || kit.options.coerce;
}

/** `z.ZodType<Order, Order>`: a schema of which only the type is known. */
export function anySchema(type: string, scope: ZodScope): string {
  const name = scope.kit.options.variant === 'mini' ? 'ZodMiniType' : 'ZodType';
  return `z.${name}<${type}, ${differsByWay(scope) ? 'unknown' : type}>`;
}

/** Calls a local helper. */
export function call(helper: string, scope: ZodScope, ...args: readonly string[]): string {
  scope.helpers.add(helper);
  return `${helper}(${args.join(', ')})`;
}

/** The code with checks: methods, or a list for `zod/mini`. */
export function withChecks(code: string, checks: readonly Check[], { kit }: ZodScope): string {
  if (checks.length === 0) return code;
  if (kit.options.variant === 'mini')
    return `${code}.check(${checks.map(([, name, value]) => `z.${name}(${value})`).join(', ')})`;
  return checks.reduce((all, [method, , value]) => `${all}.${method}(${value})`, code);
}

/** A check of Zod: its method, its function, and the argument. */
export type Check = readonly [method: string, name: string, value: string];
