import type { ZodOptions } from './scope.js';

/** The helpers of `zod.ts`: each is printed if schemas use it. */
const HELPERS: Readonly<Record<string, string>> = {
  loose: `/** An object that keeps members which its schema does not name. Its type has those that it names. */
const loose = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape) as unknown as ReturnType<typeof z.object<Shape>>;`,
  optional: `/** An optional member, without \`undefined\` in its type. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.optional(schema) as unknown as rt.Optional<z.ZodType<z.output<Schema>, z.input<Schema>>, Schema>;`,
  typed: `/** States the type of a schema that Zod does not infer. */
const typed =
  <Type>() =>
  <Schema extends z.ZodType>(schema: Schema) =>
    schema as unknown as z.ZodType<Type, INPUT>;`,
  guarded: `/** Checks a value as the validators do, before a schema converts it. */
const guarded = <Schema extends z.ZodType>(check: rt.Check, schema: Schema) =>
  z.pipe(z.unknown().check(rt.exact(check)), schema as never) as unknown as z.ZodType<z.output<Schema>, z.input<Schema>>;`,
  converted: `/** A value that is converted between JSON and the program. */
const converted = <From extends z.ZodType, To extends z.ZodType>(from: From, to: To, codec: codecs.Codec) =>
  z.codec(from, to, rt.conversion<z.output<From>, z.input<To>>(codec));`,
  long: `/** An integer in JSON, which is a bigint if a number cannot hold it. */
const long = (schema: z.ZodType<number>, beyond: z.ZodType<bigint>) =>
  z.union([schema, beyond]) as unknown as z.ZodType<number, number>;`,
  fromText: `/** A value that is given as text. */
const fromText = <Schema extends z.ZodType>(schema: Schema, plan: wire.WirePlan) =>
  z.pipe(
    z.transform((text: unknown) => wire.readWire(text, plan)),
    schema as never,
  ) as unknown as z.ZodType<z.output<Schema>, unknown>;`,
  collected: `/** Parameters by the names of the spec. */
const collected = <Schema extends z.ZodType>(schema: Schema, plan: Parameters<typeof wire.collectTexts>[1]) =>
  z.pipe(
    z.transform((texts: unknown) => wire.collectTexts(texts, plan)),
    schema as never,
  ) as unknown as z.ZodType<z.output<Schema>, unknown>;`,
  hidden: `/** Members that are checked, but are no part of the type. */
const hidden = (shape: object): object => shape;`,
  notObject: `/** Any value but an object: a schema without \`type\` does not restrict it. */
const notObject = /* @__PURE__ */ (() =>
  z.unknown().check(
    z.refine((value) => typeof value !== 'object' || value === null || Array.isArray(value)),
  ) as unknown as z.ZodType<never, never>)();`,
  notArray: `/** Any value but a list: a schema without \`type\` does not restrict it. */
const notArray = /* @__PURE__ */ (() =>
  z.unknown().check(z.refine((value) => !Array.isArray(value))) as unknown as z.ZodType<never, never>)();`,
};

/** The modules of the runtime by their local names, and the helpers that need them. */
export const MODULES: readonly (readonly [local: string, module: string, helpers: readonly string[]])[] = [
  ['rt', 'zod', ['rt', 'optional', 'guarded', 'converted']],
  ['fmt', 'formats', ['fmt']],
  ['codecs', 'codecs', ['codecs', 'converted']],
  ['wire', 'wire-text', ['fromText', 'collected']],
];

/** The names of those that are printed in order. */
export function namesOf(used: ReadonlySet<string>): string[] {
  return Object.keys(HELPERS).filter((name) => used.has(name));
}

export interface HelperOptions {
  readonly variant: ZodOptions['variant'];
  /** Whether what goes in may differ from what comes out. */
  readonly differs: boolean;
  /** Whether other files use them. */
  readonly isExported: boolean;
}

export function printHelpers(used: ReadonlySet<string>, { variant, differs, isExported }: HelperOptions): string {
  const text = namesOf(used)
    .map((name) => `${HELPERS[name] ?? ''}\n`)
    .join('\n')
    .replaceAll('INPUT', differs ? 'z.input<Schema>' : 'Type');
  const own = variant === 'mini' ? text.replaceAll(/\bz\.Zod(?=Type)/g, 'z.ZodMini') : text;
  return isExported ? own.replaceAll(/^const /gm, 'export const ') : own;
}
