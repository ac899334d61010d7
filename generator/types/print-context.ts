import type { Api } from '../../model/api.js';
import { listCredentials } from '../client/credential-views.js';
import { clientTypeName, contextTypeName } from '../type-names.js';

/** The credentials of an API, and the context that all its functions take. */
export function printContext(api: Api, apiName: string): string {
  const client = clientTypeName(apiName);
  const members = listCredentials(api).map(({ key, type, doc }) => `${doc}  readonly ${key}?: ${type} | undefined;\n`);
  return `/** Credentials by name of the security scheme. Each call sends only those that its operation requires. */
export interface ${client}Credentials {
${members.join('')}}

/** The first argument of every function of this API: the options of the client. */
export type ${contextTypeName(apiName)} = ClientContext<${client}Credentials>;
`;
}

/** The imports of {@link printContext}. */
export function printContextImports(api: Api): string {
  const types = [...new Set(listCredentials(api).map(({ type }) => type))].toSorted();
  const credentials = types.length === 0 ? '' : `import type { ${types.join(', ')} } from './runtime/serialize.js';\n`;
  return `import type { ClientContext } from './runtime/context.js';\n${credentials}`;
}
