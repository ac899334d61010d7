import type { NamedSchema } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import type { PreparedUnit } from '../../schema/to-ajv.js';
import { hashContent } from '../content-hash.js';
import type { GeneratedFile } from '../emitter.js';
import { checkName } from './check-printer.js';
import { FileScope } from './file-scope.js';
import type { TypeValidators } from './name-validators.js';
import { printHeader } from './print-header.js';
import { type ValidatorScope, prepareView } from './validator-scope.js';

/** The file of a named schema: its check, that of its request variant, and the functions that users call. */
export function emitSchemaFile(named: NamedSchema, scope: ValidatorScope): GeneratedFile {
  const { name, inputName } = named;
  const variant = scope.variants.get(name);
  const views = variant === undefined ? [name] : [name, variant];
  const units = views.map((view): [string, PreparedUnit] => [view, prepareView(view, scope)]);
  const types = [name, inputName ?? name].flatMap((type, index) => (index === 1 && type === name ? [] : (scope.names.schemas.get(type) ?? [])));
  const file = scope.files.get(name) ?? name;
  const calls = units.flatMap(([, unit]) => [...unit.refs]).map((ref) => [ref, scope.fileOf(ref)]);
  return {
    path: `validators/${file}.ts`,
    key: hashContent(JSON.stringify([units.map(([view, unit]) => [view, unit.schema, [...unit.locals]]), types, calls])),
    contents: () => printSchemaFile({ units, types, checkOf: (type) => checkName(type === inputName ? (variant ?? name) : name) }, scope, file),
  };
}

interface SchemaFile {
  readonly units: readonly (readonly [string, PreparedUnit])[];
  readonly types: readonly TypeValidators[];
  readonly checkOf: (type: string) => string;
}

function printSchemaFile({ units, types, checkOf }: SchemaFile, scope: ValidatorScope, file: string): string {
  const fileScope = new FileScope();
  const checks = units.map(([view, unit]) => scope.printer.print(`export function ${checkName(view)}`, unit, fileScope));
  const header = printHeader({ scope: fileScope, types: types.map(({ type }) => type), root: '../', folder: './', own: file }, scope.fileOf);
  return [header, fileScope.printConstants(), ...checks, ...types.map((type) => printTypeValidators(type, checkOf(type.type)))].filter((part) => part !== '').join('\n');
}

function printTypeValidators({ type, is, assert, validate }: TypeValidators, check: string): string {
  return `/** Whether a value is a \`${type}\`. */
export function ${is}(value: unknown): value is ${type} {
  return rt.passes(${check}, value);
}

/** Throws a \`ValidationFailure\` where a value is no \`${type}\`. */
export function ${assert}(value: unknown): asserts value is ${type} {
  rt.assertValid(${check}, value, ${toStringLiteral(type)});
}

/** A value as a \`${type}\`, or what is wrong with it. */
export function ${validate}(value: unknown): rt.ValidationResult<${type}> {
  return rt.validate(${check}, value);
}
`;
}
