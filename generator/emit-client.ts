import type { Api, Operation } from '../model/api.js';
import { NameAllocator, toFileName, toStringLiteral } from '../model/identifiers.js';
import { viewOperation } from './client/operation-view.js';
import { clientModules, viewClient, viewContext } from './client/client-view.js';
import { type OperationsFile, printOperations } from './client/print-operations.js';
import { RuntimeImports } from './client/runtime-imports.js';
import { emitHelpers, helperModules } from './helpers/emit-helpers.js';
import { readHelpers } from './helpers/read-helpers.js';
import { hashContent } from '../model/content-hash.js';
import type { EmitOptions, Emitter, GeneratedFile } from './emitter.js';
import { runtimeFiles } from './runtime-files.js';
import { renderFile } from './templates.js';
import { clientTypeName, nameOperationTypes, type OperationTypeNames } from './type-names.js';

/** An API with more operations than this has a file for each tag, so that a change does not print them all again. */
const MAX_OPERATIONS_IN_FILE = 100;

/** Emits `client.ts`, `context.ts`, `operations.ts` and the modules of the runtime that these need. */
export const clientEmitter: Emitter = {
  name: 'client',
  async emit(api, options) {
    if (api.operations.length === 0) return [];
    const helpers = await readHelpers(api, options.apiName);
    const scope = { api, options, typeNames: nameOperationTypes(api, options.apiName) };
    const files = divide(api.operations.filter(({ name }) => !helpers.replaced.has(name))).map((part) =>
      viewFile(part, scope),
    );
    const modules = files.flatMap(({ imports }) => imports.map(({ module }) => module));
    return [
      renderFile('client.ts', 'client', viewClient(api, options, helpers)),
      renderFile('context.ts', 'context', viewContext(api, options)),
      ...files.map(operationsFile),
      ...printBarrel(files),
      ...emitHelpers(helpers, options),
      ...runtimeFiles([...clientModules(api, options), ...modules, ...helperModules(helpers)]),
    ];
  },
};

/** The operations of one file. */
interface Part {
  readonly path: string;
  readonly root: string;
  readonly operations: readonly Operation[];
}

function divide(all: readonly Operation[]): Part[] {
  if (all.length <= MAX_OPERATIONS_IN_FILE) return [{ path: 'operations.ts', root: './', operations: all }];
  const byTag = new Map<string, Operation[]>();
  for (const operation of all) {
    const tag = operation.tags[0] ?? resourceOf(operation);
    byTag.set(tag, [...(byTag.get(tag) ?? []), operation]);
  }
  const names = new NameAllocator({ fold: true });
  return [...byTag].map(([tag, operations]) => ({
    path: `operations/${names.take(toFileName(tag))}.ts`,
    root: '../',
    operations,
  }));
}

/** Stands in for a tag where there is none: the first word of the path that is not a version. */
function resourceOf({ path }: Operation): string {
  return path.split('/').find((segment) => /^[a-z]/i.test(segment) && !/^v\d/i.test(segment)) ?? 'other';
}

interface FileScope {
  readonly api: Api;
  readonly options: EmitOptions;
  readonly typeNames: ReadonlyMap<Operation, OperationTypeNames>;
}

function viewFile({ path, root, operations }: Part, { api, options, typeNames }: FileScope): OperationsFile {
  const imports = new RuntimeImports(operations.map(({ name }) => name));
  imports.use('send');
  const views = operations.flatMap((operation) => {
    const types = typeNames.get(operation);
    return types === undefined ? [] : [viewOperation(operation, types, { api, imports })];
  });
  return {
    path,
    root,
    contextType: `${clientTypeName(options.apiName)}Context`,
    imports: imports.all,
    operations: views,
  };
}

function operationsFile(file: OperationsFile): GeneratedFile {
  if (file.operations.length === 0) return { path: file.path, contents: 'export {};\n' };
  return { path: file.path, key: hashContent(JSON.stringify(file)), contents: () => printOperations(file) };
}

function printBarrel(files: readonly OperationsFile[]): GeneratedFile[] {
  if (files.length === 1 && files[0]?.path === 'operations.ts') return [];
  return [
    {
      path: 'operations.ts',
      contents: files.map(({ path }) => `export * from ${toStringLiteral(`./${path.slice(0, -3)}.js`)};\n`).join(''),
    },
  ];
}
