import type { Operation } from '../../model/api.js';
import { findMessageSchema } from '../../model/websocket-messages.js';
import { toStringLiteral } from '../../model/identifiers.js';
import { printRecord } from '../client/print-record.js';
import { printValue } from '../fixtures/print-value.js';
import { addMembers, type HelperFunction, type HelperScope } from './helper-scope.js';
import type { LiveSessionValue, WebSocketValue } from '../../model/helper-values.js';
import { schemaAt } from './schema-at.js';

/** Reads the function of an operation with `x-websocket` and `x-live-session`, which has the operation's own name. */
export function readLiveSession(operation: Operation, scope: HelperScope): HelperFunction | undefined {
  const value = scope.extension(operation, 'x-live-session') as LiveSessionValue | undefined;
  const socket = scope.extension(operation, 'x-websocket') as WebSocketValue | undefined;
  if (value === undefined) return undefined;
  const refuse = (problem: string, member = ''): undefined =>
    scope.refuse(operation, 'x-live-session', problem, member);
  if (socket === undefined) return refuse('the operation has no x-websocket.');
  const client = findMessageSchema(scope.api, operation, 'client');
  const server = findMessageSchema(scope.api, operation, 'server');
  if (client === undefined || server === undefined)
    return refuse(
      'a schema of x-websocket is not part of the API: refer to it in components, or give its file beside the spec.',
    );
  const setup = schemaAt(scope.api, client, value.setup);
  if (setup === undefined) return refuse(`messages of the client have no ${value.setup}.`, '/setup');
  const { imports } = scope;
  const [setupType, clientType] = [scope.typeOf(setup, 'input'), scope.typeOf(client, 'input')];
  const takesValues = operation.parameters.length > 0;
  return {
    name: operation.name,
    summary: `opens a session of \`${operation.name}\`: sends the setup, waits until the server is ready, then exchanges messages`,
    doc: '@throws SessionClosedError if the server closes the session before it is ready; NetworkError if there is no connection; TimeoutError.',
    parameters: [
      { name: 'setup', type: setupType },
      ...(takesValues ? [scope.requestParameter(operation)] : []),
      { name: 'options', type: imports.use('LiveOptions'), isOptional: true },
    ],
    returnType: `Promise<${imports.use('LiveSession')}<${setupType}, ${clientType}, ${scope.typeOf(server, 'output')}>>`,
    code: `${imports.use('openLiveSession')}(context, ${addMembers(printPlan(operation, value, scope), scope.jsonFunctions({ read: server, write: client }))}, { setup, ${takesValues ? 'request, ' : ''}options })`,
  };
}

function printPlan(operation: Operation, value: LiveSessionValue, { api, imports }: HelperScope): string {
  const data = [
    `name: ${toStringLiteral(operation.name)}`,
    `path: ${toStringLiteral(operation.path)}`,
    ...printQuerySecurity(operation, api.securitySchemes, imports),
  ];
  const order = Object.entries(value).map(([key, member]) => `  ${key}: ${printValue(member, '  ')},\n`);
  return `{\n  operation: {\n${data.map((line) => `    ${line},\n`).join('')}  },\n${order.join('')}}`;
}

/** Prints the security of a WebSocket, which can have credentials only in its address. */
function printQuerySecurity(
  { security }: Operation,
  schemes: HelperScope['api']['securitySchemes'],
  imports: HelperScope['imports'],
): string[] {
  const alternatives = security.flatMap((requirement) => {
    const entries = Object.keys(requirement).map((id) => {
      const scheme = schemes.get(id);
      return scheme?.type === 'apiKey' && scheme.in === 'query'
        ? ([id, `${imports.use('writeKeyQuery')}(${toStringLiteral(scheme.name)})`] as const)
        : undefined;
    });
    const usable = entries.filter((entry) => entry !== undefined);
    return usable.length === entries.length && usable.length > 0 ? (printRecord(usable, '    ') ?? []) : [];
  });
  return alternatives.length === 0 ? [] : [`security: [${alternatives.join(', ')}]`];
}
