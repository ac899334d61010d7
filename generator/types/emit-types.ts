import type { Api, Operation } from '../../model/api.js';
import { NameAllocator, toPropertyKey } from '../../model/identifiers.js';
import { childSchemas } from '../../model/schema-survey.js';
import { refName, type Schema } from '../../model/schema-types.js';
import type { EmitOptions, Emitter, GeneratedFile } from '../emitter.js';
import { runtimeFiles } from '../runtime-files.js';
import { printWebhookMap } from '../helpers/webhook-helper.js';
import {
  allOperations,
  clientTypeName,
  contextTypeName,
  nameOperationTypes,
  type OperationTypeNames,
  schemaTypeNames,
} from '../type-names.js';
import { printEnumValues } from './print-enum-values.js';
import {
  listDeclared,
  printIdsPart,
  printImports,
  printOperationParts,
  printPart,
  printSchemaParts,
  type TypesPart,
} from './type-parts.js';
import { jsonTypes, jsonTypesModule } from './value-types.js';
import { listCredentials } from '../client/credential-views.js';
import { printImported } from '../client/runtime-imports.js';

/** Prints the credentials of an API and the context that all its functions take, with the imports of these types. */
function printContext(api: Api, apiName: string): { readonly imports: string; readonly text: string } {
  const client = clientTypeName(apiName);
  const credentials = listCredentials(api);
  // A schema may have the name of a type of the runtime.
  const locals = new NameAllocator({ taken: schemaTypeNames(api) });
  const context = locals.take('ClientContext');
  const names = credentials.length === 0 ? [] : ['Credential', ...new Set(credentials.map(({ type }) => type))];
  const types = new Map(names.toSorted().map((type) => [type, locals.take(type)]));
  const members = credentials.map(
    ({ key, type, doc }) => `${doc}  readonly ${key}?: ${types.get('Credential')}<${types.get(type)}> | undefined;\n`,
  );
  return {
    imports: `${printImport([['ClientContext', context]], 'context')}${printImport([...types], 'serialize')}`,
    text: `/** Credentials by name of the security scheme. Each call sends only those that its operation requires. */
export interface ${client}Credentials {
${members.join('')}}

/** The first argument of every function of this API: the options of the client. */
export type ${contextTypeName(apiName)} = ${context}<${client}Credentials>;
`,
  };
}

function printImport(names: readonly (readonly [name: string, local: string])[], module: string): string {
  const printed = names.map(([name, local]) => printImported(name, local));
  return printed.length === 0 ? '' : `import type { ${printed.join(', ')} } from './runtime/${module}.js';\n`;
}

/**
 * Emits `types.ts`: a type for each named schema, and request, response and failure types for each operation. Those of
 * a large API are in files below `types/`, which `types.ts` exports. Types of a bare JSON Schema document come from
 * json-schema-to-typescript, all others from our own printer (docs/adr/0001-types.md).
 */
export const typesEmitter: Emitter = { name: 'types', emit: emitTypes };

async function emitTypes(api: Api, options: EmitOptions): Promise<GeneratedFile[]> {
  const files = await emitModule(api, options, 'types');
  const module = jsonTypesModule(options);
  return module === 'types' ? files : [...files, ...(await emitModule(api, jsonTypes(options), module))];
}

async function emitModule(api: Api, options: EmitOptions, module: string): Promise<GeneratedFile[]> {
  const isMain = module === 'types';
  const fromSchema = bareSchemas(api);
  const schemas = [...api.schemas.values()].filter(({ name }) => !fromSchema.has(name));
  const bare = fromSchema.size === 0 ? [] : [await printBarePart(api, fromSchema)];
  const parts = [
    ...bare,
    ...printSchemaParts(api, schemas, { types: options.types, hasValues: isMain }),
    ...printIdsPart(api, options),
    ...printOperationParts(api, options),
  ];
  const own = joinParts(parts, isMain ? [...listUsed(api, options)] : []);
  const sections = [...own.sections, ...(isMain ? printMaps(api, options) : [])];
  const hasContext = isMain && options.emitters.has('client') && api.operations.length > 0;
  const context = hasContext ? printContext(api, options.apiName) : undefined;
  if (context !== undefined) sections.push(context.text);
  const split = parts.filter(({ name }) => name !== undefined);
  const places = listDeclared(parts);
  const imports = printImports(own, places, { types: './types', parts: `./${module}`, runtime: './runtime' });
  const exports = split.map(({ name }) => `export * from './${module}/${name}.js';\n`).join('');
  const contents = [`${context?.imports ?? ''}${imports}`, exports, ...sections]
    .filter((text) => text !== '')
    .join('\n');
  return [
    { path: `${module}.ts`, contents: contents === '' ? 'export {};\n' : contents },
    ...split.map((part) => ({ path: `${module}/${part.name}.ts`, contents: printPart(part, places, module) })),
    ...(parts.some(({ errors }) => errors.length > 0) || context !== undefined ? runtimeFiles(['errors']) : []),
  ];
}

/** Prints the types of a bare JSON Schema document, as one text from json-schema-to-typescript. */
async function printBarePart(api: Api, names: ReadonlySet<string>): Promise<TypesPart> {
  const { printJsonSchemaTypes } = await import('./print-json-schema-types.js');
  const values = [...names].flatMap((name) => printEnumValues(api.schemas.get(name) ?? { name, schema: true }));
  const sections = [await printJsonSchemaTypes(api, names), ...values].filter((text) => text !== '');
  return { name: undefined, sections, declared: names, used: new Set(), errors: [] };
}

/** The declarations of `types.ts` itself. */
function joinParts(parts: readonly TypesPart[], used: readonly string[]): TypesPart {
  const own = parts.filter(({ name }) => name === undefined);
  return {
    name: undefined,
    sections: own.flatMap(({ sections }) => sections),
    declared: new Set(),
    used: new Set([...used, ...own.flatMap((part) => [...part.used])]),
    errors: own.flatMap(({ errors }) => errors),
  };
}

/** The names that the maps of all operations use. */
function listUsed(api: Api, { apiName }: EmitOptions): Set<string> {
  const called = new Set(api.operations);
  return new Set(
    [...nameOperationTypes(api, apiName)].flatMap(([operation, { request, response, failure }]) =>
      called.has(operation) ? [request, response, failure] : [request],
    ),
  );
}

/** Maps of all operations, and of all webhooks. */
function printMaps(api: Api, { apiName }: EmitOptions): string[] {
  if (allOperations(api).length === 0) return [];
  const names = nameOperationTypes(api, apiName);
  const client = clientTypeName(apiName);
  const own = new Set(api.operations);
  const called = [...names].filter(([operation]) => own.has(operation));
  return [
    printFailures(called, client),
    printOperationMap(called, client),
    printWebhookMap(api, client, (one) => names.get(one)?.request),
  ].filter((text) => text !== '');
}

type CalledOperations = readonly (readonly [Operation, OperationTypeNames])[];

function printFailures(called: CalledOperations, client: string): string {
  const members = called.map(([{ name }, { failure }]) => `  ${toPropertyKey(name)}: ${failure};\n`);
  const comment = `/** The documented failures of each operation, by its name. */\n`;
  return `${comment}export interface ${client}Failures {\n${members.join('')}}\n`;
}

/** Prints a type alias, because an interface is not assignable to a record of operations. */
function printOperationMap(called: CalledOperations, client: string): string {
  const members = called.map(
    ([{ name }, { request, response, failure }]) =>
      `  ${toPropertyKey(name)}: { request: ${request}; response: ${response}; failure: ${failure} };\n`,
  );
  const comment = `/** The types of each operation, by its name. */\n`;
  return `${comment}export type ${client}Operations = {\n${members.join('')}};\n`;
}

/** The schemas of a bare JSON Schema document; none if some differ by direction, which needs our own printer. */
export function bareSchemas(api: Api): ReadonlySet<string> {
  const reached = api.rootSchema === undefined ? new Set<string>() : reachableSchemas(api, api.rootSchema);
  const differs = [...reached].some((name) => api.schemas.get(name)?.inputName !== undefined);
  return differs ? new Set() : reached;
}

/** The named schemas that a schema reaches, including itself, in the order in which their types are printed. */
function reachableSchemas(api: Api, root: string): Set<string> {
  const reached = new Set<string>([root]);
  const open: Schema[] = [api.schemas.get(root)?.schema ?? true];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'boolean') continue;
    open.push(...childSchemas(next));
    const target = next.$ref === undefined ? undefined : refName(next.$ref);
    if (target === undefined || reached.has(target)) continue;
    reached.add(target);
    open.push(api.schemas.get(target)?.schema ?? true);
  }
  return reached;
}
