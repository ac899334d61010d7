import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { Project, type Symbol as TypeSymbol, SymbolFlags, type Type, TypeFlags } from 'ts-morph';

/** The JSON schema of the configuration, in the package: `$schema` of a JSON or YAML configuration names it. */
const FILE = 'config/specmill.schema.json';
const root = path.join(import.meta.dirname, '..');

/** The JSON schema of `SpecmillConfig`. Functions and emitters, which only a module can have, are left out. */
export function buildConfigSchema(): object {
  const project = new Project({ tsConfigFilePath: path.join(root, 'tsconfig.json'), skipAddingFilesFromTsConfig: true });
  const file = project.addSourceFileAtPath(path.join(root, 'config/config-types.ts'));
  const config = file.getInterfaceOrThrow('SpecmillConfig').getType();
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of specmill',
    ...describeObject(config),
  };
}

function describe(type: Type): object {
  const members = type.isUnion() ? type.getUnionTypes().filter((one) => !one.isUndefined()) : [type];
  if (members.every((one) => one.isBoolean() || one.isBooleanLiteral())) return { type: 'boolean' };
  if (members.every((one) => one.isStringLiteral())) return { enum: members.map((one) => one.getLiteralValue()) };
  const [only, ...others] = members;
  if (only !== undefined && others.length === 0) return describeOne(only);
  const literals = members.filter((one) => one.isStringLiteral()).map((one) => one.getLiteralValue());
  const rest = members.filter((one) => !one.isStringLiteral()).map(describeOne);
  return { anyOf: [...(literals.length === 0 ? [] : [{ enum: literals }]), ...rest] };
}

function describeOne(type: Type): object {
  if (type.isString()) return { type: 'string' };
  if (type.isNumber()) return { type: 'number' };
  if (type.isUnknown() || type.isAny() || type.isTypeParameter()) return {};
  const item = type.getArrayElementType();
  if (item !== undefined) return { type: 'array', items: describe(item) };
  const values = type.getStringIndexType();
  if (values !== undefined) return { type: 'object', additionalProperties: describe(values) };
  if (type.getProperties().length === 0) return { type: 'object', patternProperties: { '^x-': {} }, additionalProperties: false };
  return describeObject(type);
}

function describeObject(type: Type): object {
  const properties = type.getProperties().filter((property) => isData(property));
  const required = properties.filter((property) => !property.hasFlags(SymbolFlags.Optional)).map((one) => one.getName());
  return {
    type: 'object',
    properties: Object.fromEntries(properties.map((property) => [property.getName(), describeProperty(property)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function typeOf(property: TypeSymbol): Type {
  return property.getValueDeclarationOrThrow().getType().getNonNullableType();
}

/** Whether JSON can hold the value of a property. */
function isData(property: TypeSymbol): boolean {
  const type = typeOf(property);
  const isOfParameter = (type.getArrayElementType()?.getFlags() ?? 0) & TypeFlags.TypeParameter;
  return type.getCallSignatures().length === 0 && isOfParameter === 0;
}

function describeProperty(property: TypeSymbol): object {
  const description = property.compilerSymbol
    .getDocumentationComment(undefined)
    .map(({ text }) => text)
    .join('')
    .replaceAll(/\{@link ([^}]+)\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { ...(description === '' ? {} : { description }), ...describe(typeOf(property)) };
}

/** The schema as its file has it. */
export function printConfigSchema(): string {
  return `${JSON.stringify(buildConfigSchema(), undefined, 2)}\n`;
}

/** The schema that is checked in. */
export function readConfigSchema(): string {
  return readFileSync(path.join(root, FILE), 'utf8');
}

if (process.argv[1]?.endsWith('config-schema.ts') === true) writeFileSync(path.join(root, FILE), printConfigSchema());
