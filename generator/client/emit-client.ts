import type { Api, Operation } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import { viewOperation } from './operation-view.js';
import { clientModules, viewClient } from './client-view.js';
import { type OperationsFile, printOperations } from './print-operations.js';
import { emitCodecs } from './emit-codecs.js';
import { planClient } from './group-operations.js';
import { printGroups } from './print-groups.js';
import { RuntimeImports } from './runtime-imports.js';
import { emitHelpers } from '../helpers/print-helpers.js';
import type { EmitOptions, Emitter, GeneratedFile } from '../emitter.js';
import { runtimeFiles } from '../runtime-files.js';
import { type OperationsPart, splitOperations } from '../split-output.js';
import { convertsValues } from '../types/value-types.js';
import { renderFile } from '../templates.js';
import { contextTypeName, nameOperationTypes, type OperationTypeNames } from '../type-names.js';

/** Emits `client.ts`, `operations.ts`, `helpers.ts` and the modules of the runtime that they need. */
export const clientEmitter: Emitter = {
  name: 'client',
  async emit(api, options) {
    const plan = await planClient(api, options);
    const { helpers, groups } = plan;
    const helperModules = helpers.scope.imports.all.map(({ module }) => module);
    const shared = [...emitCodecs(api, options), ...emitHelpers(helpers)];
    if (api.operations.length === 0) return [...shared, ...runtimeFiles(helperModules)];
    const scope = { api, options, typeNames: nameOperationTypes(api, options.apiName) };
    const called = api.operations.filter(({ name }) => !helpers.replaced.has(name));
    const files = splitOperations(api, called).map((part) => viewFile(part, scope));
    const modules = files.flatMap(({ imports }) => imports.map(({ module }) => module));
    return [
      renderFile('client.ts', 'client', viewClient(api, options, plan)),
      ...printGroups(groups),
      ...files.map(operationsFile),
      ...printBarrel(files),
      ...shared,
      ...runtimeFiles([...clientModules(api, options), ...modules, ...helperModules]),
    ];
  },
};

interface FileScope {
  readonly api: Api;
  readonly options: EmitOptions;
  readonly typeNames: ReadonlyMap<Operation, OperationTypeNames>;
}

function viewFile({ name: part, operations }: OperationsPart, { api, options, typeNames }: FileScope): OperationsFile {
  const imports = new RuntimeImports(operations.map(({ name }) => name));
  const { types } = options;
  const used = new Set<string>();
  const codecs = convertsValues(types)
    ? {
        api,
        types,
        use: (name: string) => imports.use(name),
        named: (name: string) => `Codecs.${noteName(used, name)}`,
      }
    : undefined;
  const views = operations.flatMap((operation) => {
    const names = typeNames.get(operation);
    return names === undefined ? [] : [viewOperation(operation, names, { api, imports, types, codecs })];
  });
  if (views.length === 0 || views.some((view) => view.codecs === undefined)) imports.use('send');
  if (views.some((view) => view.codecs !== undefined)) imports.use('sendTyped');
  return {
    path: part === undefined ? 'operations.ts' : `operations/${part}.ts`,
    root: part === undefined ? './' : '../',
    contextType: contextTypeName(options.apiName),
    imports: imports.all,
    operations: views,
    usesCodecs: used.size > 0,
  };
}

function noteName(used: Set<string>, name: string): string {
  used.add(name);
  return name;
}

function operationsFile(file: OperationsFile): GeneratedFile {
  if (file.operations.length === 0) return { path: file.path, contents: 'export {};\n' };
  return printOperations(file);
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
