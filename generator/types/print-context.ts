import type { Api } from '../../model/api.js';
import { NameAllocator } from '../../model/identifiers.js';
import { listCredentials } from '../client/credential-views.js';
import { printImported } from '../client/runtime-imports.js';
import { clientTypeName, contextTypeName, schemaTypeNames } from '../type-names.js';

/** The credentials of an API and the context that all its functions take, with the imports that these types need. */
export function printContext(api: Api, apiName: string): { readonly imports: string; readonly text: string } {
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
