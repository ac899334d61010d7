import { wireMethod } from '../../model/http-method.js';
import type { ValueTypes } from '../../config/config-types.js';
import type { Api, Operation } from '../../model/api.js';
import { escapeTags, toCommentText, toStringLiteral } from '../../model/identifiers.js';
import { givesFile } from '../types/print-content.js';
import { returnsRedirects } from '../operation-results.js';
import type { OperationTypeNames } from '../type-names.js';
import { bodyWriters, itemReaders, xmlReaders } from './body-writers.js';
import { printCallCodecs } from './call-codecs.js';
import type { CodecPrinter } from './print-codecs.js';
import { isIdempotencyKey, needsRequest } from '../request-values.js';
import { parameterWriters } from './parameter-writers.js';
import { printList, printRecord } from './print-record.js';
import { acceptOf, failureStatuses, fileMediaTypes } from './response-data.js';
import type { RuntimeImports } from './runtime-imports.js';
import { printSecurity } from './security-writers.js';

/** One function of the output, ready to be printed. */
export interface OperationView {
  readonly name: string;
  readonly types: OperationTypeNames;
  /** Whether it can be called without values. */
  readonly isOptional: boolean;
  readonly doc: string;
  /** The members of the operation's data. */
  readonly data: readonly string[];
  /** The member with the values of the call. */
  readonly request: string;
  /** The code of the context. */
  readonly context: string;
  /** Whether its response is a file, which the caller can also request as a stream or bytes. */
  readonly isDownload: boolean;
  /** How values are converted, if some are. */
  readonly codecs: string | undefined;
}

/** The scope of the views of one file. */
export interface ViewScope {
  readonly api: Api;
  readonly imports: RuntimeImports;
  /** The types of dates, 64-bit integers and ids. */
  readonly types?: ValueTypes | undefined;
  /** Set if values are converted. */
  readonly codecs?: CodecPrinter | undefined;
}

export function viewOperation(operation: Operation, types: OperationTypeNames, scope: ViewScope): OperationView {
  // A success that is a file.
  const isDownload = operation.responses.some((one) => one.status.startsWith('2') && givesFile(one, scope.api));
  return {
    name: operation.name,
    types,
    isOptional: !needsRequest(operation),
    doc: describeOperation(operation, scope.api),
    data: printData(operation, scope),
    request: printRequest(operation, scope),
    context: isDownload ? `${scope.imports.use('withDownloads')}(context)` : 'context',
    isDownload,
    codecs: scope.codecs === undefined ? undefined : printCallCodecs(operation, scope.codecs),
  };
}

/** Indentation of the data's members in the call of `send`. */
const INDENT = '  ';

/** Prints the operation's data without the defaults of the runtime. */
function printData(operation: Operation, scope: ViewScope): string[] {
  const accept = acceptOf(operation);
  const security = printSecurity(operation, scope);
  const members: Readonly<Record<string, string | undefined>> = {
    name: toStringLiteral(operation.name),
    id: operation.id === operation.name ? undefined : toStringLiteral(operation.id),
    method: operation.method === 'get' ? undefined : toStringLiteral(wireMethod(operation.method)),
    path: toStringLiteral(operation.path),
    pathWriters: printRecord(parameterWriters(operation, 'path', scope), INDENT),
    queryWriters: printRecord(parameterWriters(operation, 'query', scope), INDENT),
    headerWriters: printRecord(parameterWriters(operation, 'header', scope), INDENT),
    writeCookies: printCookies(operation, scope),
    isRepeatable: operation.parameters.some(isIdempotencyKey) ? 'true' : undefined,
    body: printRecord(bodyWriters(operation, scope), INDENT),
    security,
    authorize: security === undefined ? undefined : scope.imports.use('writeCredentials'),
    accept: accept === undefined ? undefined : toStringLiteral(accept),
    failures: printList(failureStatuses(operation)),
    redirect: returnsRedirects(operation) ? "'manual'" : undefined,
    files: printList(fileMediaTypes(operation, scope.api)),
    items: printRecord(itemReaders(operation, scope), INDENT),
    texts: printRecord(xmlReaders(operation, scope), INDENT),
  };
  return Object.entries(members).flatMap(([name, code]) => (code === undefined ? [] : [`${name}: ${code}`]));
}

/** The values of the call, with what the client adds to them. */
function printRequest({ parameters }: Operation, { imports }: ViewScope): string {
  const key = parameters.find(isIdempotencyKey);
  return key === undefined
    ? 'request'
    : `request: ${imports.use('addIdempotencyKey')}(request, ${toStringLiteral(key.name)})`;
}

function printCookies(operation: Operation, scope: ViewScope): string | undefined {
  if (!operation.parameters.some((parameter) => parameter.in === 'cookie')) return undefined;
  const add = scope.imports.use('addCookies');
  const writers = printRecord(parameterWriters(operation, 'cookie', scope), INDENT);
  return writers === undefined ? add : `(headers, values) => ${add}(headers, values, ${writers})`;
}

/** The text of the function's comment, escaped for a comment. */
function describeOperation(operation: Operation, api: Api): string {
  const { summary, description, method, path, deprecated } = operation;
  const call = `\`${wireMethod(method)} ${path.replaceAll(/[`\s]+/g, ' ')}\``;
  const texts = [summary, description === summary ? undefined : description]
    .map((text) => text?.trim())
    .filter((text) => text !== undefined && text !== '');
  const paragraphs = [
    ...texts.map((text) => escapeTags(toCommentText(String(text)))),
    call,
    ...describeServer(operation, api),
  ];
  if (deprecated) paragraphs.push('@deprecated');
  return toCommentText(paragraphs.join('\n\n'));
}

/** Describes how to call an operation on its own server, with the option `baseUrl`. */
function describeServer({ servers }: Operation, api: Api): string[] {
  const own = servers[0]?.url;
  if (own === undefined || api.servers.some(({ url }) => url === own)) return [];
  return [`Server: \`${own.replaceAll(/[`\s]+/g, ' ')}\`, to be given as the \`baseUrl\` of the call.`];
}
