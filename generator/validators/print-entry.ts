import type { Api, NamedSchema, Operation } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import type { ValidatorNames } from './name-validators.js';
import { type OperationNames, printResponseValidators } from './print-guards.js';

/** A module of validators: the schemas and operations that it validates. */
export interface ModulePlan {
  /** Path below the output without extension, such as `validators` or `validators/issues`. */
  readonly path: string;
  readonly schemas: readonly NamedSchema[];
  readonly operations: readonly Operation[];
  /** The first digits of the hashes of the shared parts in this module. */
  readonly shared: string;
}

/** The names of all functions that are printed. */
export interface PrintedNames {
  readonly api: Api;
  readonly validators: ValidatorNames;
  readonly operations: ReadonlyMap<Operation, OperationNames>;
}

/** Prints the module that exports the public functions of all others. */
export function printEntry(plans: readonly ModulePlan[], names: PrintedNames): string {
  const imports = plans.flatMap(({ path, operations }) => {
    const rules = listRules(operations, names).map((one) => one.rules);
    return rules.length === 0 ? [] : [`import { ${rules.join(', ')} } from ${toStringLiteral(`./${path}.js`)};\n`];
  });
  const exports = plans.flatMap((plan) => {
    const functions = listFunctions(plan, names);
    return functions.length === 0
      ? []
      : [`export { ${functions.join(', ')} } from ${toStringLiteral(`./${plan.path}.js`)};\n`];
  });
  const runtime = imports.length === 0 ? '' : "import * as rt from './runtime/checks.js';\n";
  const responses = printResponses(
    plans.flatMap(({ operations }) => operations),
    names,
  );
  return [printRuntimeExports(names.validators), runtime, ...imports, ...exports, ...responses].join('');
}

/** The functions of a module that users call. */
function listFunctions({ schemas, operations }: ModulePlan, names: PrintedNames): string[] {
  const types = schemas.flatMap(({ name, inputName }) => [...new Set([name, inputName ?? name])]);
  return [
    ...types
      .flatMap((type) => names.validators.schemas.get(type) ?? [])
      .flatMap(({ is, assert, validate }) => [is, assert, validate]),
    ...operations
      .flatMap((operation) => names.operations.get(operation) ?? [])
      .flatMap(({ request, response }) => [request, response]),
  ];
}

/** The constants with the rules of those operations that the client calls. */
function listRules(
  operations: readonly Operation[],
  { api, operations: names }: PrintedNames,
): { readonly name: string; readonly rules: string }[] {
  const called = new Set(api.operations);
  return operations.flatMap((operation) => {
    const rules = names.get(operation)?.rules;
    return rules === undefined || !called.has(operation) ? [] : [{ name: operation.name, rules }];
  });
}

/** `responseValidators`, for the operations that the client calls. */
export function printResponses(operations: readonly Operation[], names: PrintedNames): string[] {
  const listed = listRules(operations, names);
  return listed.length === 0 ? [] : [printResponseValidators(listed)];
}

const RUNTIME_TYPES = ['ValidationError', 'ValidationResult'];

/** A schema can have the name of one of our types; then users import ours from the runtime. */
export function printRuntimeExports({ schemas }: ValidatorNames): string {
  const types = RUNTIME_TYPES.filter((type) => !schemas.has(type)).map((type) => `type ${type}`);
  const own = [...types, ...(schemas.has('ValidationFailure') ? [] : ['ValidationFailure'])];
  return own.length === 0 ? '' : `export { ${own.join(', ')} } from './runtime/validation.js';\n`;
}
