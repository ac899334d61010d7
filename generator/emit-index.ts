import type { Api } from '../model/api.js';
import { toStringLiteral } from '../model/identifiers.js';
import type { OperationGroup } from './client/group-operations.js';
import type { GeneratedFile } from './emitter.js';
import { isLarge } from './split-output.js';
import { clientFunctionNames, schemaTypeNames } from './type-names.js';

/** The public modules of an output, in the order of the barrel. */
const PUBLIC_MODULES = ['types', 'client', 'operations', 'helpers'];

interface IndexOptions {
  readonly apiName: string;
  readonly groups: readonly OperationGroup[];
  /** The paths of further files to export. */
  readonly exported?: readonly string[];
}

/** Public too, but megabytes in a large output: then programs import them by name, and pay only for what they use. */
const LARGE_MODULES = ['validators', 'fixtures', 'examples'];

/** Emits `index.ts`: all exports of the output, of a large one those of the client. `emitted`: the paths of all other files. */
export function emitIndex(
  emitted: ReadonlySet<string>,
  api: Api,
  { apiName, groups, exported = [] }: IndexOptions,
): GeneratedFile {
  const isPublic = isLarge(api) ? PUBLIC_MODULES : [...PUBLIC_MODULES, ...LARGE_MODULES];
  const modules = isPublic.filter((name) => emitted.has(`${name}.ts`));
  const others = exported.map((path) => path.slice(0, -'.ts'.length));
  const exports = [...modules, ...others].map((name) => `export * from ${moduleLiteral(name)};\n`);
  exports.push(...groups.map(({ name, file }) => `export * as ${name} from ${moduleLiteral(`groups/${file}`)};\n`));
  const contents = [...exports, ...printClashes(api, apiName, modules)].join('');
  return { path: 'index.ts', contents: contents === '' ? 'export {};\n' : contents };
}

/**
 * If two modules export the same name, TypeScript drops both; an export by name wins. The client takes precedence over the
 * operations, and these over the validators: the other export remains available from its own module.
 */
function printClashes(api: Api, apiName: string, modules: readonly string[]): string[] {
  if (!modules.includes('client')) return [];
  const ofClient = new Set(clientFunctionNames(apiName));
  const ofOperations = new Set(api.operations.map(({ name }) => name));
  const ofSchemas = new Set(schemaValueNames(api));
  const clientClashes = [...ofClient].filter((name) => ofOperations.has(name) || ofSchemas.has(name));
  const operationClashes = [...ofOperations].filter((name) => ofSchemas.has(name) && !ofClient.has(name));
  return [
    ...clientClashes.map((name) => `export { ${name} } from ${moduleLiteral('client')};\n`),
    ...operationClashes.map((name) => `export { ${name} } from ${moduleLiteral('operations')};\n`),
  ];
}

/** The functions that validators and fixtures export for the named schemas. */
function schemaValueNames(api: Api): string[] {
  return schemaTypeNames(api).flatMap((type) => [
    `is${type}`,
    `assert${type}`,
    `validate${type}`,
    `${type.charAt(0).toLowerCase()}${type.slice(1)}Fixture`,
  ]);
}

function moduleLiteral(name: string): string {
  return toStringLiteral(`./${name}.js`);
}
