import { getOrInsert } from '../../model/maps.js';
import type { ValueTypes } from '../../config/config-types.js';
import type { Api } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import { type Schema, type SchemaObject, refName } from '../../model/schema-types.js';
import { withReferrers } from '../../model/schema-survey.js';
import { collectParts, findProperty, followRefs, holdingParts } from '../../schema/facts/parts.js';
import { printLiteralType } from '../types/print-literal-type.js';
import { convertedValue } from '../types/value-types.js';
import { type RecordEntries, printRecord } from './print-record.js';

/** Prints the codecs of schemas: expressions of functions in `runtime/codecs.ts`. */
export interface CodecPrinter {
  readonly api: Api;
  readonly types: ValueTypes;
  /** Whether values are read where clients write them: a parameter that is sent as JSON has been parsed already. */
  readonly isRead?: true;
  /** Imports a function of the runtime and returns its local name. */
  readonly use: (name: string) => string;
  /** The codec of a named schema. */
  readonly named: (name: string) => string;
  /** The annotation before each call that lets bundlers drop it, if the module calls it while loading. */
  readonly mark?: string;
}

/** The code of the codec of a schema; `undefined` if its values are as in JSON. */
export function printCodec(schema: Schema | undefined, printer: CodecPrinter): string | undefined {
  if (typeof schema !== 'object') return undefined;
  const parts = [
    ...printNamed(schema, printer),
    ...printScalars(schema, printer),
    ...printMembers(schema, printer),
    ...printItems(schema, printer),
    ...(schema.allOf ?? []).flatMap((part) => printCodec(part, printer) ?? []),
    ...[schema.oneOf, schema.anyOf].flatMap((branches) => printChoice(schema, branches ?? [], printer)),
  ];
  const [first, ...others] = new Set(parts);
  return others.length === 0 ? first : call('all', [first ?? '', ...others], printer);
}

function call(name: string, args: readonly string[], { use, mark = '' }: CodecPrinter): string {
  return `${mark}${use(name)}(${args.join(', ')})`;
}

function printNamed({ $ref }: SchemaObject, { api, types, named }: CodecPrinter): string[] {
  if ($ref === undefined || !listConverted(api, types).has(refName($ref))) return [];
  return [named(refName($ref))];
}

function printScalars(schema: SchemaObject, { types, use }: CodecPrinter): string[] {
  return codecsOf(schema, types).map(use);
}

function codecsOf(schema: SchemaObject, types: ValueTypes): string[] {
  return [schema.type ?? []].flat().flatMap((type) => convertedValue(type, schema, types)?.codec ?? []);
}

function printMembers(schema: SchemaObject, printer: CodecPrinter): string[] {
  const own: RecordEntries = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const code = printCodec(property, printer);
    return code === undefined ? [] : [[name, code] as const];
  });
  const others = [...Object.values(schema.patternProperties ?? {}), schema.additionalProperties];
  const rest = [...new Set(others.flatMap((one) => printCodec(one, printer) ?? []))];
  if (own.length + rest.length === 0) return [];
  // A described member that is not converted must not be converted as one of the rest.
  const plain: RecordEntries =
    rest.length === 0
      ? []
      : Object.keys(schema.properties ?? {})
          .filter((name) => !own.some(([known]) => known === name))
          .map((name) => [name, '(value) => value'] as const);
  const isOneKind = rest.length === 1 && others.filter((one) => one !== undefined && one !== false).length === 1;
  const record = printRecord([...own, ...plain], '    ') ?? '{}';
  if (rest.length === 0) return [call('members', [record], printer)];
  const branches = rest.map((codec) => `{ codec: ${codec} }`);
  return [call('members', [record, isOneKind ? (rest[0] ?? '') : call('choice', branches, printer)], printer)];
}

function printItems({ items, prefixItems = [] }: SchemaObject, printer: CodecPrinter): string[] {
  const rest = printCodec(items, printer);
  const first = prefixItems.map((item) => printCodec(item, printer));
  if (rest === undefined && first.every((code) => code === undefined)) return [];
  const positions = `[${first.map((code) => code ?? 'undefined').join(', ')}]`;
  return [call('list', first.length === 0 ? [rest ?? 'undefined'] : [rest ?? 'undefined', positions], printer)];
}

/**
 * Prints a choice. A choice between a value and `null` is printed as the value, so that a value that does not fit is an
 * error.
 */
function printChoice(owner: SchemaObject, branches: readonly Schema[], printer: CodecPrinter): string[] {
  const values = branches.filter((branch) => typeof branch !== 'object' || branch.type !== 'null');
  const codecs = values.map((branch) => printCodec(branch, printer));
  if (codecs.every((code) => code === undefined)) return [];
  if (values.length === 1) return [codecs[0] ?? ''];
  const printed = values.flatMap((branch, index) => {
    const code = codecs[index];
    return code === undefined ? [] : [printBranch(owner, branch as SchemaObject, { code, printer })];
  });
  return [call('choice', printed, printer)];
}

/**
 * Prints how a branch differs from the others: the values of its tag and constants, and the members that it requires.
 */
function printBranch(
  { discriminator }: SchemaObject,
  branch: SchemaObject,
  { code, printer }: { readonly code: string; readonly printer: CodecPrinter },
): string {
  const required = [...new Set(holdingParts(branch, printer.api).flatMap((part) => part.required ?? []))];
  const constants = required.flatMap((name) => {
    const property = findProperty(branch, name, printer.api);
    const own = property === undefined ? undefined : followRefs(property, printer.api);
    const values = own?.const === undefined ? own?.enum : [own.const];
    return values === undefined || values.some((value) => typeof value === 'object') ? [] : [[name, values] as const];
  });
  const name = branch.$ref === undefined ? undefined : refName(branch.$ref);
  const isTagged = discriminator !== undefined && name !== undefined && name !== discriminator.defaultMapping;
  const tags = isTagged
    ? Object.entries(discriminator.mapping).flatMap(([value, target_]) => (target_ === name ? [value] : []))
    : [];
  const is = new Map<string, readonly unknown[]>(constants);
  if (discriminator !== undefined && tags.length > 0 && !is.has(discriminator.propertyName))
    is.set(discriminator.propertyName, tags);
  const values = printRecord(
    [...is].map(([key, list]) => [key, `[${list.map(printLiteralType).join(', ')}]`] as const),
    '    ',
  );
  const has = required.filter((key) => !is.has(key)).map(toStringLiteral);
  const members = [
    `codec: ${code}`,
    ...(values === undefined ? [] : [`is: ${values}`]),
    ...(has.length === 0 ? [] : [`has: [${has.join(', ')}]`]),
  ];
  return `{ ${members.join(', ')} }`;
}

export function isConverted(schema: Schema, api: Api, types: ValueTypes): boolean {
  return printCodec(schema, { api, types, use: String, named: String }) !== undefined;
}

const known = new WeakMap<Api, Map<string, ReadonlySet<string>>>();

/** The named schemas with values that are converted. */
export function listConverted(api: Api, types: ValueTypes): ReadonlySet<string> {
  const byTypes = getOrInsert(known, api, () => new Map<string, ReadonlySet<string>>());
  const key = `${types.dates} ${types.int64}`;
  return getOrInsert(byTypes, key, () => findConverted(api, types));
}

function findConverted(api: Api, types: ValueTypes): Set<string> {
  const references = new Map<string, Set<string>>();
  const converted = new Set<string>();
  for (const { name, schema } of api.schemas.values()) {
    const parts = collectParts(schema, convertedChildren);
    if (parts.some((part) => codecsOf(part, types).length > 0)) converted.add(name);
    references.set(name, new Set(parts.flatMap(({ $ref }) => ($ref === undefined ? [] : [refName($ref)]))));
  }
  return withReferrers(converted, references);
}

function convertedChildren(schema: SchemaObject): (Schema | undefined)[] {
  return [
    ...Object.values(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}),
    schema.additionalProperties,
    schema.items,
    ...(schema.prefixItems ?? []),
    ...(schema.allOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
  ];
}
