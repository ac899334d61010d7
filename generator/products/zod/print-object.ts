import type { Schema, SchemaObject } from '../../emitter-kit/contract.js';
import { reportLoss } from './conversions.js';
import { type Printed, type ZodScope, anySchema, both, call, isEmpty, pick, typeText } from './scope.js';

/** Names that every object has: Zod would find them in each value. */
const INHERITED = new Set([...Object.getOwnPropertyNames(Object.prototype), '__proto__']);

/** The members of an object. */
interface Members {
  readonly lines: readonly string[];
  /** Members that are checked but are no part of the type: what only the other direction has. */
  readonly hidden: readonly string[];
  readonly infers: boolean;
  readonly rest: SchemaObject;
}

/**
 * Prints an object.
 *
 * @param spread - code of schemas whose shapes it includes.
 */
export function printObject(schema: SchemaObject, scope: ZodScope, spread: readonly string[] = []): Printed {
  const { additionalProperties, patternProperties } = schema;
  if (patternProperties !== undefined)
    reportLoss({ patternProperties, additionalProperties: additionalProperties ?? true }, scope);
  const infersRest = patternProperties === undefined && typeof additionalProperties !== 'object';
  // An index signature includes the types of all members, which Zod does not infer.
  const inner = infersRest && !hasReadonly(schema, scope) ? scope : { ...scope, isTyped: true };
  const { lines, hidden, infers, rest } = printMembers(schema, inner);
  if (lines.length + hidden.length + spread.length === 0) return printRecord(schema, scope, rest);
  const shape = [
    ...spread.map((code) => `...${code}.shape`),
    ...lines,
    ...(hidden.length === 0 ? [] : [`...${call('hidden', scope, `{ ${hidden.join(', ')} }`)}`]),
  ];
  const text = `{\n${indent(shape.map((line) => `${line},`).join('\n'))}\n}`;
  return {
    code: printKind(text, schema, scope),
    infers: infers && inner === scope && lines.length + spread.length > 0,
    isObject: true,
    // Zod writes that other members are allowed, which would count as evaluated.
    ...(additionalProperties === undefined ? { meta: { additionalProperties: undefined } } : {}),
    rest: both(rest, patternProperties === undefined ? {} : patternRest(schema)),
  };
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** The object with what it says of unknown members. */
function printKind(shape: string, schema: SchemaObject, scope: ZodScope): string {
  const { additionalProperties: rest, patternProperties } = schema;
  const { variant, unknownKeys } = scope.kit.options;
  if (patternProperties !== undefined) return `z.looseObject(${shape})`;
  if (rest === true) return `z.looseObject(${shape})`;
  if (rest === false) return `z.strictObject(${shape})`;
  if (rest === undefined) {
    if (unknownKeys === 'loose' || scope.isLoose) return call('loose', scope, shape);
    return `z.${unknownKeys === 'strip' ? 'object' : 'strictObject'}(${shape})`;
  }
  const { code } = scope.print(rest, { ...scope, isTyped: true });
  return variant === 'mini' ? `z.catchall(z.object(${shape}), ${code})` : `z.object(${shape}).catchall(${code})`;
}

/** An object without named members. */
function printRecord(schema: SchemaObject, scope: ZodScope, rest: SchemaObject): Printed {
  const { patternProperties, additionalProperties = true } = schema;
  if (patternProperties !== undefined)
    return { code: 'z.record(z.string(), z.unknown())', infers: false, rest: both(rest, patternRest(schema)) };
  const { code } = scope.print(additionalProperties, scope);
  const meta =
    schema.additionalProperties === undefined
      ? { additionalProperties: undefined, propertyNames: schema.propertyNames }
      : { propertyNames: schema.propertyNames };
  return { code: `z.record(z.string(), ${code})`, infers: isEmpty(rest), rest, meta };
}

/** Members by pattern, and the rest, which depends on them. */
function patternRest(schema: SchemaObject): SchemaObject {
  return pick(schema, ['patternProperties', 'additionalProperties', 'properties']);
}

function hasReadonly({ properties = {} }: SchemaObject, { api, direction }: ZodScope): boolean {
  return (
    direction === 'response' &&
    Object.values(properties).some((member) => !api.travels(member, 'request') && api.travels(member, 'response'))
  );
}

function printMembers(schema: SchemaObject, scope: ZodScope): Members {
  const { properties = {}, required = [], additionalProperties } = schema;
  const { api, direction } = scope;
  const lines: string[] = [];
  const hidden: string[] = [];
  const inherited: string[] = [];
  for (const [name, member] of Object.entries(properties)) {
    if (INHERITED.has(name)) inherited.push(name);
    else if (api.travels(member, direction)) lines.push(printMember(name, member, required.includes(name), scope));
    else hidden.push(printHidden(name, member, scope));
  }
  const demanded = required.filter((name) => !Object.hasOwn(properties, name));
  const unsaid = demanded.filter((name) => INHERITED.has(name) || additionalProperties === false);
  for (const name of demanded)
    if (!unsaid.includes(name)) lines.push(printMember(name, additionalProperties ?? true, true, scope));
  const left = [...inherited.filter((name) => required.includes(name)), ...unsaid];
  return {
    ...{ lines, hidden, infers: inherited.length + unsaid.length === 0 },
    rest: {
      ...(inherited.length === 0
        ? {}
        : { properties: pick(properties, inherited as never[]) as Record<string, Schema> }),
      ...(left.length === 0 ? {} : { required: left }),
    },
  };
}

/** A member that only the other direction has: checked if it is sent all the same. */
function printHidden(name: string, member: Schema, scope: ZodScope): string {
  const code =
    scope.direction === 'request'
      ? scope.print(member, { ...scope, isTyped: true, late: undefined }).code
      : 'z.never()';
  return `${scope.kit.print.key(name)}: z.optional(${code})`;
}

/** `name: code`, or a getter if the member refers to a schema that is declared later. */
function printMember(name: string, member: Schema, isRequired: boolean, scope: ZodScope): string {
  const late = { isUsed: false };
  const { code } = scope.print(member, { ...scope, late });
  const key = scope.kit.print.key(name);
  if (!late.isUsed) return `${key}: ${printOptional(code, member, isRequired, scope)}`;
  // Types are stated here, because the compiler cannot infer the type of a constant from itself.
  const type = scope.isTyped ? 'unknown' : typeText(member, scope);
  const any = anySchema(type, scope);
  const typed = scope.isTyped ? `${code} as never` : code;
  const wrapped = printOptional(typed, member, isRequired, scope);
  const mini = scope.kit.options.variant === 'mini' ? 'Mini' : '';
  const shown = wrapped.startsWith('optional(')
    ? `rt.Optional<${any}, ${any}>`
    : wrapped.startsWith('z.prefault(')
      ? `z.Zod${mini}Prefault<${any}>`
      : any;
  return `get ${key}(): ${shown} {\n  return ${wrapped};\n}`;
}

function printOptional(code: string, member: Schema, isRequired: boolean, scope: ZodScope): string {
  if (hasDefault(member, scope)) return `z.prefault(${code}, ${scope.kit.print.literal(member.default)})`;
  return isRequired ? code : call('optional', scope, code);
}

/** Whether a missing member gets its default. One that its own schema refuses would make the whole object invalid. */
function hasDefault(member: Schema, { api, direction, kit }: ZodScope): member is SchemaObject {
  if (typeof member === 'boolean' || member.default === undefined || kit.options.defaults !== 'apply') return false;
  return api.accepts(member, member.default, direction);
}
