import type { Api, ApiResponse, MediaType, Operation, Parameter } from '../../model/api.js';
import { splitPointer } from '../../model/document/pointer.js';
import { findParameter } from '../../model/find-parameter.js';
import type { Schema } from '../../model/schema-types.js';
import { findProperty } from '../../schema/facts/parts.js';
import { mediaKind, orderContent } from '../media-kind.js';
import { ensure, need } from './helper-scope.js';

/** The schema of the member at a JSON pointer in values of a schema. */
export function schemaAt(api: Api, schema: Schema, pointer: string): Schema | undefined {
  return splitPointer(pointer).reduce<Schema | undefined>(
    (here, name) => (here === undefined ? undefined : findProperty(here, name, api)),
    schema,
  );
}

/** The first documented success. */
export function successOf({ responses }: Operation): ApiResponse | undefined {
  return responses.find(({ status }) => status.startsWith('2'));
}

export function responseSchema(operation: Operation): Schema | undefined {
  return jsonSchemaOf(successOf(operation)?.content ?? []);
}

export function bodySchema({ body }: Operation): Schema | undefined {
  return jsonSchemaOf(body?.content ?? []);
}

function jsonSchemaOf(content: readonly MediaType[]): Schema | undefined {
  return orderContent(content).find(({ mediaType }) => mediaKind(mediaType) === 'json')?.schema;
}

export function querySchema(operation: Operation, name: string): Schema | undefined {
  return findParameter(operation, 'query', name)?.schema;
}

export function givesHeader(operation: Operation, name: string): boolean {
  return successOf(operation)?.headers.some((one) => one.name.toLowerCase() === name.toLowerCase()) ?? false;
}

/** Refuses an extension unless the operation has a query parameter. `member` is the place of its name. */
export function needQuery(operation: Operation, name: string, member: string): void {
  need(querySchema(operation, name), `the operation has no query parameter ${JSON.stringify(name)}.`, member);
}

export function needHeader(operation: Operation, name: string, member: string): Parameter {
  const found = findParameter(operation, 'header', name);
  return need(found, `${operation.id} has no header parameter ${JSON.stringify(name)}.`, member);
}

export function needResponseHeader(operation: Operation, name: string, member: string): void {
  ensure(
    givesHeader(operation, name),
    `the response of ${operation.id} has no header ${JSON.stringify(name)}.`,
    member,
  );
}
