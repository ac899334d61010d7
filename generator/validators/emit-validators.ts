import type { Api, Operation } from '../../model/api.js';
import { NameAllocator, toFileName, toPropertyKey, toStringLiteral } from '../../model/identifiers.js';
import type { PreparedUnit } from '../../schema/to-ajv.js';
import type { Emitter, GeneratedFile } from '../emitter.js';
import { runtimeFiles } from '../runtime-files.js';
import { allOperations } from '../type-names.js';
import {
  type OperationView,
  type OperationsPart,
  emitOperationsFile,
  mapUnits,
  rulesName,
  viewOperation,
} from './operations-file.js';
import { emitSchemaFile, emitSharedFile } from './schema-file.js';
import { UnitSharing } from './share-units.js';
import { type ValidatorScope, createValidatorScope, prepareView, sharedFile } from './validator-scope.js';

/** An API with more operations than this has a file for each tag, so that a change does not print them all again. */
const MAX_OPERATIONS_IN_FILE = 100;

/**
 * Emits `validators/`: `isCase`, `assertCase` and `validateCase` for each named schema in a file of its own,
 * `validateGetcaseRequest` and `validateGetcaseResponse` for each operation, and `responses.ts` for the client.
 * docs/adr/0002-validators.md says how the code is made.
 */
export const validatorsEmitter: Emitter = {
  name: 'validators',
  emit(api, options) {
    const scope = createValidatorScope(api, options);
    const { units, parts, shared } = prepareAll(api, scope);
    return [
      { path: 'validators/index.ts', contents: () => printIndex(parts, scope) },
      ...[...api.schemas.values()].map((named) => emitSchemaFile(named, units, scope)),
      ...emitShared(shared, scope),
      ...parts.map((part) => emitOperationsFile(part, scope)),
      ...(parts.length === 0 ? [] : [emitResponses(api, parts)]),
      ...runtimeFiles(['checks', 'formats', 'validation']),
    ];
  },
};

interface Prepared {
  /** By view. */
  readonly units: ReadonlyMap<string, PreparedUnit>;
  readonly parts: readonly OperationsPart[];
  readonly shared: ReadonlyMap<string, PreparedUnit>;
}

function prepareAll(api: Api, scope: ValidatorScope): Prepared {
  const sharing = new UnitSharing();
  const units = [...api.schemas.keys(), ...scope.variants.values()].map((view): [string, PreparedUnit] => [
    view,
    prepareView(view, scope),
  ]);
  const parts = divideOperations(allOperations(api).map((operation) => viewOperation(operation, scope)));
  const views = parts.flatMap((part) => part.views);
  for (const [view, unit] of units) sharing.note(unit, view);
  for (const view of views) mapUnits(view, (unit) => (sharing.note(unit), unit));
  return {
    units: new Map(units.map(([view, unit]) => [view, sharing.rewrite(unit, view)])),
    parts: parts.map((part) => ({
      ...part,
      views: part.views.map((view) => mapUnits(view, (unit) => sharing.rewrite(unit))),
    })),
    shared: sharing.shared,
  };
}

function emitShared(shared: Prepared['shared'], scope: ValidatorScope): GeneratedFile[] {
  const byFile = new Map<string, [string, PreparedUnit][]>();
  for (const [name, unit] of [...shared].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const file = sharedFile(name);
    byFile.set(file, [...(byFile.get(file) ?? []), [name, unit]]);
  }
  return [...byFile].map(([file, parts]) => emitSharedFile(file, parts, scope));
}

function divideOperations(views: readonly OperationView[]): OperationsPart[] {
  if (views.length === 0) return [];
  if (views.length <= MAX_OPERATIONS_IN_FILE) return [{ path: 'operations', views }];
  const byTag = new Map<string, OperationView[]>();
  for (const view of views) {
    const tag = view.operation.tags[0] ?? firstSegment(view.operation.path);
    byTag.set(tag, [...(byTag.get(tag) ?? []), view]);
  }
  const names = new NameAllocator({ fold: true });
  return [...byTag].map(([tag, tagged]) => ({ path: `operations/${names.take(toFileName(tag))}`, views: tagged }));
}

/** The first word of a path that is neither a version nor a parameter. */
function firstSegment(path: string): string {
  return path.split('/').find((segment) => /^[a-z]/i.test(segment) && !/^v\d+\w*$/i.test(segment)) ?? 'other';
}

const RUNTIME_TYPES = ['ValidationError', 'ValidationResult'];

/** A schema can have the name of a type of ours; then ours is to be imported from the runtime. */
function printIndex(parts: readonly OperationsPart[], { api, names, files }: ValidatorScope): string {
  const taken = new Set(names.schemas.keys());
  const types = RUNTIME_TYPES.filter((type) => !taken.has(type)).map((type) => `type ${type}`);
  const own = [...types, ...(taken.has('ValidationFailure') ? [] : ['ValidationFailure'])];
  const lines = own.length === 0 ? [] : [`export { ${own.join(', ')} } from '../runtime/validation.js';`];
  for (const { name, inputName } of api.schemas.values()) {
    const exported = [name, inputName ?? name].flatMap((type, index) =>
      index === 1 && type === name ? [] : (names.schemas.get(type) ?? []),
    );
    const functions = exported.flatMap(({ is, assert, validate }) => [is, assert, validate]);
    lines.push(printExport(functions, files.get(name) ?? name));
  }
  for (const { path, views } of parts) {
    const functions = views
      .flatMap(({ operation }) => names.operations.get(operation) ?? [])
      .flatMap(({ request, response }) => [request, response]);
    lines.push(printExport(functions, path));
  }
  return `${lines.join('\n')}\n`;
}

function printExport(names: readonly string[], file: string): string {
  return `export { ${names.join(', ')} } from ${toStringLiteral(`./${file}.js`)};`;
}

/** `responses.ts`: what the client loads when it first validates an answer. */
function emitResponses(api: Api, parts: readonly OperationsPart[]): GeneratedFile {
  const own = new Set(api.operations);
  const kept = parts.map(({ path, views }) => ({
    path,
    operations: views.map(({ operation }) => operation).filter((operation) => own.has(operation)),
  }));
  return {
    path: 'validators/responses.ts',
    contents: () => printResponses(kept.filter(({ operations }) => operations.length > 0)),
  };
}

function printResponses(
  parts: readonly { readonly path: string; readonly operations: readonly Operation[] }[],
): string {
  const imports = parts.map(
    ({ path, operations }) =>
      `import { ${operations.map(rulesName).join(', ')} } from ${toStringLiteral(`./${path}.js`)};\n`,
  );
  const members = parts
    .flatMap(({ operations }) => operations)
    .map((operation) => {
      return `  ${toPropertyKey(operation.name)}: (status, contentType, data) => findResponseErrors(${rulesName(operation)}, { status, contentType, data }),\n`;
    });
  return `import { type ValidationError, findResponseErrors } from '../runtime/checks.js';
${imports.join('')}
/** Finds what is wrong with the data of an answer. */
export type ResponseValidator = (status: number, mediaType: string | undefined, data: unknown) => ValidationError[];

/** A validator of the answers of each operation, by its name. */
export const responseValidators: Readonly<Record<string, ResponseValidator>> = {
${members.join('')}};
`;
}
