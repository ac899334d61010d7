import type { Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import type { LiveSessionValue, UploadValue, WebSocketValue } from '../../model/helper-values.js';
import { toStringLiteral, toValueName } from '../../model/identifiers.js';
import type { Schema } from '../../model/schema-types.js';
import { findMessageSchema } from '../../model/websocket-messages.js';
import { printRecord } from '../client/print-record.js';
import { printValue } from '../fixtures/print-value.js';
import { addMembers, ensure, type HelperScope, need, type OperationHelper } from './helper-scope.js';
import { needHeader, needResponseHeader, responseSchema, schemaAt } from './schema-at.js';

/** A resumable upload, under the name that the extension gives it. */
export const UPLOAD: OperationHelper<UploadValue> = {
  extension: 'x-resumable-upload',
  options: 'UploadOptions',
  doc: '@throws UploadError if the upload cannot continue or the file cannot be used; ApiError if the server refuses; NetworkError if it cannot be reached.',
  plan(operation, value, scope) {
    const bytes = scope.find(value.upload, '/upload');
    const poll = value.poll === undefined ? undefined : scope.find(value.poll.operation, '/poll/operation');
    needUploadHeaders(value, operation, bytes);
    const calls = [`start: ${scope.callOf(operation)}`, ...(poll === undefined ? [] : [`poll: ${scope.callOf(poll)}`])];
    const printed = calls.map((line) => `    ${line},\n`).join('');
    const code = `${scope.use('upload')}(context, ${printValue(planUpload(value), '')}, {\n  data,\n  options,\n  calls: {\n${printed}  },\n})`;
    const file = responseSchema(poll ?? bytes);
    const schema = poll === undefined && file !== undefined ? schemaAt(scope.api, file, value.file) : file;
    // The polling operation converts its own value.
    const codec = poll === undefined && schema !== undefined ? scope.codecOf(schema) : undefined;
    return {
      name: toValueName(value.name),
      summary: `uploads a file, resumes after a lost connection${poll === undefined ? '' : ', and waits until the file is ready'}`,
      parameters: [{ name: 'data', type: scope.use('UploadData') }],
      returnType: `Promise<${schema === undefined ? 'unknown' : scope.typeOf(schema, 'output')}>`,
      code: codec === undefined ? code : `${scope.use('decodeResult')}(${code}, ${codec})`,
    };
  },
};

function needUploadHeaders(value: UploadValue, start: Operation, bytes: Operation): void {
  needHeader(start, value.size, '/size');
  needHeader(start, value.type, '/type');
  for (const name of Object.keys(value.start ?? {})) needHeader(start, name, toPointer(['start', name]));
  needHeader(bytes, value.command, '/command');
  needHeader(bytes, value.offset, '/offset');
  needResponseHeader(bytes, value.status, '/status');
  needResponseHeader(bytes, value.received, '/received');
  needResponseHeader(start, value.address, '/address');
}

/** Returns the plan, with response headers in lower case. */
function planUpload({ upload, name: _name, poll, ...value }: UploadValue): object {
  const { operation: _operation, ...file } = poll ?? { operation: '' };
  return {
    name: upload,
    ...value,
    start: value.start ?? {},
    address: value.address.toLowerCase(),
    status: value.status.toLowerCase(),
    received: value.received.toLowerCase(),
    ...(poll === undefined ? {} : { poll: file }),
  };
}

/** The session of an operation with `x-websocket`, which has the operation's own name. */
export const LIVE_SESSION: OperationHelper<LiveSessionValue> = {
  extension: 'x-live-session',
  options: 'LiveOptions',
  doc: '@throws SessionClosedError if the server closes the session before it is ready; NetworkError if there is no connection; TimeoutError.',
  plan(operation, value, scope) {
    const socket = scope.extension(operation, 'x-websocket') as WebSocketValue | undefined;
    ensure(socket !== undefined, 'the operation has no x-websocket.');
    const messages = (side: 'client' | 'server'): Schema =>
      need(
        findMessageSchema(scope.api, operation, side),
        'a schema of x-websocket is not part of the API: refer to it in components, or give its file beside the spec.',
      );
    const [client, server] = [messages('client'), messages('server')];
    const found = schemaAt(scope.api, client, value.setup);
    const setup = scope.typeOf(need(found, `messages of the client have no ${value.setup}.`, '/setup'), 'input');
    const takesValues = operation.parameters.length > 0;
    const plan = addMembers(
      printSession(operation, value, scope),
      scope.jsonFunctions({ read: server, write: client }),
    );
    return {
      name: operation.name,
      summary: `opens a session of \`${operation.name}\`: sends the setup, waits until the server is ready, then exchanges messages`,
      parameters: [{ name: 'setup', type: setup }, ...(takesValues ? [scope.requestParameter(operation)] : [])],
      returnType: `Promise<${scope.use('LiveSession')}<${setup}, ${scope.typeOf(client, 'input')}, ${scope.typeOf(server, 'output')}>>`,
      code: `${scope.use('openLiveSession')}(context, ${plan}, { setup, ${takesValues ? 'request, ' : ''}options })`,
    };
  },
};

function printSession(operation: Operation, value: LiveSessionValue, scope: HelperScope): string {
  const data = [
    `name: ${toStringLiteral(operation.name)}`,
    `path: ${toStringLiteral(operation.path)}`,
    ...printQuerySecurity(operation, scope),
  ];
  const order = Object.entries(value).map(([key, member]) => `  ${key}: ${printValue(member, '  ')},\n`);
  return `{\n  operation: {\n${data.map((line) => `    ${line},\n`).join('')}  },\n${order.join('')}}`;
}

/** Prints the security of a WebSocket, which can have credentials only in its address. */
function printQuerySecurity({ security }: Operation, scope: HelperScope): string[] {
  const alternatives = security.flatMap((requirement) => {
    const entries = Object.keys(requirement).map((id) => {
      const scheme = scope.api.securitySchemes.get(id);
      return scheme?.type === 'apiKey' && scheme.in === 'query'
        ? ([id, `${scope.use('writeKeyQuery')}(${toStringLiteral(scheme.name)})`] as const)
        : undefined;
    });
    const usable = entries.filter((entry) => entry !== undefined);
    return usable.length === entries.length && usable.length > 0 ? (printRecord(usable, '    ') ?? []) : [];
  });
  return alternatives.length === 0
    ? []
    : [`security: [${alternatives.join(', ')}]`, `authorize: ${scope.use('writeCredentials')}`];
}
