import type { Api, Operation } from '../../model/api.js';
import { toPropertyKey } from '../../model/identifiers.js';
import { type Schema, refName } from '../../model/schema-types.js';
import { childSchemas } from '../../model/normalise/input-names.js';
import type { EmitOptions, Emitter, GeneratedFile } from '../emitter.js';
import { runtimeFiles } from '../runtime-files.js';
import { printWebhookMap } from '../helpers/webhook-helper.js';
import { type OperationTypeNames, allOperations, clientTypeName, nameOperationTypes } from '../type-names.js';
import { printContext } from './print-context.js';
import { printEnumValues } from './print-enum-values.js';
import { printNamedSchema } from './print-schemas.js';
import { hasPlainHeaders, printOperationTypes, statusTypes } from './print-operations.js';

/**
 * Emits `types.ts`: a type for each named schema, and request, response and failure types for each operation. Types of a
 * bare JSON Schema document come from json-schema-to-typescript, all others from a printer of our own (docs/adr/0001-types.md).
 */
export const typesEmitter: Emitter = { name: 'types', emit: emitTypes };

async function emitTypes(api: Api, options: EmitOptions): Promise<GeneratedFile[]> {
  const fromSchema = bareSchemas(api);
  const sections: string[] = [];
  if (fromSchema.size > 0) {
    const { printJsonSchemaTypes } = await import('./print-json-schema-types.js');
    sections.push(await printJsonSchemaTypes(api, fromSchema));
  }
  for (const named of api.schemas.values())
    if (!fromSchema.has(named.name)) sections.push(printNamedSchema(named, { api }));
  sections.push(...[...api.schemas.values()].map(printEnumValues).filter((text) => text !== ''));
  sections.push(...printAllOperations(api, options));
  const hasContext = options.emitters.has('client') && api.operations.length > 0;
  const context = hasContext ? printContext(api, options.apiName) : undefined;
  if (context !== undefined) sections.push(context.text);
  const imports = `${context?.imports ?? ''}${printErrorImport(api)}`;
  const contents = `${imports}${imports === '' ? '' : '\n'}${sections.join('\n')}`;
  const types = { path: 'types.ts', contents: contents === '' ? 'export {};\n' : contents };
  return imports === '' ? [types] : [types, ...runtimeFiles(['errors'])];
}

/** Decided by the printed parts, not their text: a description or an enum may contain the words too. */
function printErrorImport(api: Api): string {
  const operations = allOperations(api);
  if (operations.length === 0) return '';
  const names = ['ApiError', ...(operations.some(hasPlainHeaders) ? ['HeaderValues'] : []), ...statusTypes(operations)];
  return `import type { ${names.join(', ')} } from './runtime/errors.js';\n`;
}

function printAllOperations(api: Api, { apiName }: EmitOptions): string[] {
  const operations = allOperations(api);
  if (operations.length === 0) return [];
  const names = nameOperationTypes(api, apiName);
  const sections = [...names].map(([operation, typeNames]) => printOperationTypes(operation, typeNames, { api }));
  const client = clientTypeName(apiName);
  return [
    ...sections,
    printFailures(api, names, client),
    printOperationMap(api, names, client),
    printWebhookMap(api, client, (one) => names.get(one)?.request),
  ].filter((text) => text !== '');
}

function printFailures(api: Api, names: ReadonlyMap<Operation, OperationTypeNames>, client: string): string {
  const members = api.operations.map(
    (operation) => `  ${toPropertyKey(operation.name)}: ${names.get(operation)?.failure ?? 'ApiError'};\n`,
  );
  const comment = `/** The documented failures of each operation, by its name. */\n`;
  return `${comment}export interface ${client}Failures {\n${members.join('')}}\n`;
}

/** A type alias, since an interface would not fit where a record of operations is asked for. */
function printOperationMap(api: Api, names: ReadonlyMap<Operation, OperationTypeNames>, client: string): string {
  const members = api.operations.map((operation) => {
    const { request, response, failure } = names.get(operation) ?? {
      request: 'object',
      response: 'object',
      failure: 'ApiError',
    };
    return `  ${toPropertyKey(operation.name)}: { request: ${request}; response: ${response}; failure: ${failure} };\n`;
  });
  const comment = `/** The types of each operation, by its name. */\n`;
  return `${comment}export type ${client}Operations = {\n${members.join('')}};\n`;
}

/** The schemas of a bare JSON Schema document; none where some differ by direction, which takes a printer of our own. */
function bareSchemas(api: Api): ReadonlySet<string> {
  const reached = api.rootSchema === undefined ? new Set<string>() : reachableSchemas(api, api.rootSchema);
  const differs = [...reached].some((name) => api.schemas.get(name)?.inputName !== undefined);
  return differs ? new Set() : reached;
}

/** The named schemas that a schema reaches, itself included. */
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
