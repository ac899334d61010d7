import type { ApiResponse, Operation, Parameter } from '../../model/api.js';
import { toPropertyKey, toStringLiteral } from '../../model/identifiers.js';
import { orderContent } from '../media-kind.js';
import { failuresOf, successesOf } from '../operation-results.js';
import { groupParameters, mustBeGiven } from '../request-values.js';
import type { OperationTypeNames } from '../type-names.js';
import { printDocComment, printSchemaComment } from './doc-comment.js';
import { printBodyType, printDataType } from './print-content.js';
import { printAlias } from './print-schemas.js';
import { printType } from './print-type.js';
import { type TypeScope, indented } from './type-scope.js';
import { layOut, union } from './type-text.js';

/** The request, response and failure types of one operation. */
export function printOperationTypes(
  operation: Operation,
  names: OperationTypeNames,
  scope: Omit<TypeScope, 'direction' | 'indent'>,
): string {
  const input: TypeScope = { ...scope, direction: 'input', indent: '' };
  const output: TypeScope = { ...scope, direction: 'output', indent: '' };
  return [
    printRequest(operation, names.request, input),
    printResponse(operation, names.response, output),
    printFailure(operation, names.failure, output),
  ].join('\n');
}

function printRequest(operation: Operation, name: string, scope: TypeScope): string {
  const inner = indented(scope);
  const groups = groupParameters(operation).map(([group, parameters]) => printGroup(group, parameters, inner));
  const comment = printDocComment([`The request of \`${operation.name}\`.`], '');
  const bodies = printBodies(operation, inner);
  if (bodies.length <= 1) return `${comment}export interface ${name} {\n${groups.join('')}${bodies[0] ?? ''}}\n`;
  const shared = groups.join('');
  return `${comment}export type ${name} = ${bodies.map((body) => `{\n${shared}${body}}`).join(' | ')};\n`;
}

function printGroup(group: string, parameters: readonly Parameter[], scope: TypeScope): string {
  const optional = parameters.some(mustBeGiven) ? '' : '?';
  const members = parameters.map((parameter) => printParameter(parameter, indented(scope)));
  return `${scope.indent}${group}${optional}: {\n${members.join('')}${scope.indent}}${optional === '' ? '' : ' | undefined'};\n`;
}

function printParameter(parameter: Parameter, scope: TypeScope): string {
  const { schema, description, deprecated } = parameter;
  const documented =
    typeof schema === 'boolean'
      ? schema
      : { ...schema, deprecated, ...(description === undefined ? {} : { description }) };
  const comment = printSchemaComment(documented, scope.indent, typeof schema === 'boolean' ? [description] : []);
  const key = toPropertyKey(parameter.name);
  const type = printType(schema, scope);
  const isRequired = mustBeGiven(parameter);
  const optional = isRequired ? '' : '?';
  const text = layOut(isRequired ? type : union([type, 'undefined']), scope.indent, key.length + 4);
  return `${comment}${scope.indent}${key}${optional}:${text.startsWith('\n') ? '' : ' '}${text};\n`;
}

/** The `body` member for each media type: the first needs no `contentType`, which distinguishes the others. */
function printBodies(operation: Operation, scope: TypeScope): string[] {
  const { body } = operation;
  if (body === undefined) return [];
  const optional = body.required ? '' : '?';
  return orderContent(body.content).map((media, index) => {
    const isDefault = index === 0;
    const comment = printDocComment([body.description], scope.indent);
    const type = printBodyType(media, body.content, scope);
    const contentType =
      body.content.length === 1 && isDefault
        ? ''
        : `${scope.indent}contentType${isDefault ? '?' : ''}: ${toStringLiteral(media.mediaType)};\n`;
    const member = isDefault ? `body${optional}` : 'body';
    return `${comment}${scope.indent}${member}: ${optional === '' || !isDefault ? type : union([type, 'undefined'])};\n${contentType}`;
  });
}

function printResponse(operation: Operation, name: string, scope: TypeScope): string {
  const comment = printDocComment([`The documented successes of \`${operation.name}\`.`], '');
  const types = successesOf(operation).map((response) => printSuccess(response, operation, scope));
  const fallback = '{ status: number; data: unknown; headers: HeaderValues; response: Response }';
  return `${comment}export type ${name} = ${types.length === 0 ? fallback : types.join(' | ')};\n`;
}

/** Whether a response of an operation is printed without documented headers. */
export function hasPlainHeaders(operation: Operation): boolean {
  const successes = successesOf(operation);
  return successes.length === 0 || successes.some(({ headers }) => headers.length === 0);
}

function printSuccess(response: ApiResponse, operation: Operation, scope: TypeScope): string {
  return `{\n${printDocComment([response.description], '  ')}  status: ${printSuccessStatus(response.status, operation)};\n  data: ${printDataType(response, indented(scope))};\n  headers: ${printHeaders(response, indented(scope))};\n  response: Response;\n}`;
}

function printFailure(operation: Operation, name: string, scope: TypeScope): string {
  const comment = printDocComment(
    [`The documented failures of \`${operation.name}\`: \`status\` tells them apart.`],
    '',
  );
  const inner = indented(indented(scope));
  const types = new Set(failuresOf(operation).map((response) => printError(response, operation, inner)));
  if (types.size <= 1) return `${comment}${printAlias(name, [...types][0] ?? 'ApiError')}`;
  return `${comment}export type ${name} =${[...types].map((type) => `\n  | ${type}`).join('')};\n`;
}

/** Prints `ApiError<404, Problem>`, with the documented headers. */
function printError(response: ApiResponse, operation: Operation, scope: TypeScope): string {
  const headers = printHeaders(response, scope);
  const types = [printStatus(response.status, operation), printDataType(response, scope), headers];
  return `ApiError<${(headers === 'HeaderValues' ? types.slice(0, 2) : types).join(', ')}>`;
}

/** Prints a status as a type: the statuses of a range, or all, without those that another response documents. */
function printStatus(status: string, { responses }: Operation): string {
  if (/^\d{3}$/.test(status)) return status;
  const range = /^([1-5])XX$/i.exec(status)?.[1];
  const others = responses
    .map((response) => response.status)
    .filter((other) => /^\d{3}$/.test(other) && (range === undefined || other.startsWith(range)));
  const ranges = responses.flatMap((response) => /^([1-5])XX$/i.exec(response.status)?.[1] ?? []);
  const excluded =
    range === undefined ? [...others, ...(ranges.length === 0 ? [] : [`StatusRange<${union(ranges)}>`])] : others;
  const all = range === undefined ? 'HttpStatus' : `StatusRange<${range}>`;
  return excluded.length === 0 ? (range === undefined ? 'number' : all) : `Exclude<${all}, ${union(excluded)}>`;
}

/** Prints the status of a success. A `default` that is the only success has every status that `fetch` calls ok. */
function printSuccessStatus(status: string, operation: Operation): string {
  return status === 'default' ? 'StatusRange<2>' : printStatus(status, operation);
}

/** The runtime types that the printed statuses of some operations use. */
export function statusTypes(operations: readonly Operation[]): string[] {
  const printed = operations.flatMap((operation) => [
    ...successesOf(operation).map(({ status }) => printSuccessStatus(status, operation)),
    ...failuresOf(operation).map(({ status }) => printStatus(status, operation)),
  ]);
  return ['HttpStatus', 'StatusRange'].filter((name) => printed.some((type) => type.includes(name)));
}

function printHeaders(response: ApiResponse, scope: TypeScope): string {
  const inner = indented(scope);
  const members = response.headers.map((header) => {
    const optional = header.required ? '' : '?';
    const documented =
      typeof header.schema === 'boolean' || header.description === undefined
        ? header.schema
        : { ...header.schema, description: header.description };
    return `${printSchemaComment(documented, inner.indent)}${inner.indent}${toPropertyKey(header.name.toLowerCase())}${optional}: string;\n`;
  });
  return members.length === 0
    ? 'HeaderValues'
    : `{\n${members.join('')}${inner.indent}[name: string]: string | undefined;\n${scope.indent}}`;
}
