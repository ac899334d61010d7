import type { NamedSchema } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import type { PreparedUnit } from '../../schema/to-ajv.js';
import { hashContent } from '../../model/content-hash.js';
import type { GeneratedFile } from '../emitter.js';
import { checkName } from './check-printer.js';
import { FileScope } from './file-scope.js';
import type { TypeValidators } from './name-validators.js';
import { printHeader } from './print-header.js';
import { type ValidatorScope, unitKey } from './validator-scope.js';

/** The file of a named schema: its check, that of its request variant, and the functions that users call. */
export function emitSchemaFile(
  { name, inputName }: NamedSchema,
  units: ReadonlyMap<string, PreparedUnit>,
  scope: ValidatorScope,
): GeneratedFile {
  const variant = scope.variants.get(name);
  const views = variant === undefined ? [name] : [name, variant];
  const printed = views.flatMap((view): [string, PreparedUnit][] =>
    mapPresent(units.get(view), (unit) => [view, unit]),
  );
  const types = [name, inputName ?? name].flatMap((type, index) =>
    index === 1 && type === name ? [] : (scope.names.schemas.get(type) ?? []),
  );
  const file = scope.files.get(name) ?? name;
  return {
    path: `validators/${file}.ts`,
    key: hashContent(JSON.stringify([printed.map(([view, unit]) => [view, unitKey(unit, scope)]), types])),
    contents: () =>
      printSchemaFile(
        { units: printed, types, checkOf: (type) => checkName(type === inputName ? (variant ?? name) : name) },
        scope,
        file,
      ),
  };
}

interface SchemaFile {
  readonly units: readonly (readonly [string, PreparedUnit])[];
  readonly types: readonly TypeValidators[];
  readonly checkOf: (type: string) => string;
}

function printSchemaFile({ units, types, checkOf }: SchemaFile, scope: ValidatorScope, file: string): string {
  const fileScope = new FileScope();
  const checks = units.map(([view, unit]) =>
    scope.printer.print(`export function ${checkName(view)}`, unit, fileScope),
  );
  const header = printHeader(
    { scope: fileScope, types: types.map(({ type }) => type), root: '../', folder: './', own: file },
    scope.fileOf,
  );
  return [
    header,
    fileScope.printConstants(),
    ...checks,
    ...types.map((type) => printTypeValidators(type, checkOf(type.type))),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The file of parts that several schemas share. */
export function emitSharedFile(
  file: string,
  parts: readonly (readonly [string, PreparedUnit])[],
  scope: ValidatorScope,
): GeneratedFile {
  return {
    path: `validators/${file}.ts`,
    key: hashContent(JSON.stringify(parts.map(([name, unit]) => [name, unitKey(unit, scope)]))),
    contents: () => printSchemaFile({ units: parts, types: [], checkOf: checkName }, scope, file),
  };
}

function mapPresent<From, To>(value: From | undefined, change: (value: From) => To): To[] {
  return value === undefined ? [] : [change(value)];
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
