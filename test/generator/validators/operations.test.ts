import { beforeAll, describe, expect, test } from 'vitest';

import type { ApiResponse, MediaType, Operation, Parameter } from '../../../model/api.js';
import type { Schema } from '../../../model/schema-types.js';
import { TEST_SOURCE, buildApi } from '../../support/build-api.js';
import { emitValidators, importEmitted } from '../../support/emit-validators.js';

function media(mediaType: string, schema?: Schema): MediaType {
  return {
    mediaType,
    ...(schema === undefined ? {} : { schema }),
    encoding: new Map(),
    examples: [],
    extensions: {},
    source: TEST_SOURCE,
  };
}

function parameter(name: string, location: Parameter['in'], schema: Schema, required = false): Parameter {
  return {
    name,
    in: location,
    schema,
    required,
    deprecated: false,
    style: 'simple',
    explode: false,
    allowReserved: false,
    allowEmptyValue: false,
    examples: [],
    extensions: {},
    source: TEST_SOURCE,
  };
}

function received(
  status: string,
  content: readonly MediaType[],
  headers: Readonly<Record<string, Schema>> = {},
): ApiResponse {
  const list = Object.entries(headers).map(([name, schema]) => {
    return {
      name,
      required: true,
      schema,
      deprecated: false,
      explode: false,
      examples: [],
      extensions: {},
      source: TEST_SOURCE,
    };
  });
  return { status, description: '', headers: list, content, links: [], extensions: {}, source: TEST_SOURCE };
}

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const operation: Partial<Operation> = {
  name: 'putCase',
  parameters: [
    parameter('id', 'path', { type: 'integer' }, true),
    parameter('take', 'query', { type: 'integer', maximum: 100 }),
    parameter('X-Trace', 'header', { type: 'string', minLength: 2 }),
  ],
  body: {
    required: true,
    content: [
      media('text/plain', { type: 'string' }),
      media('application/json', ref('Case')),
      media('application/octet-stream'),
    ],
    extensions: {},
    source: TEST_SOURCE,
  },
  responses: [
    received('200', [media('application/json; charset=utf-8', ref('Case')), media('application/pdf')], {
      'X-Count': { type: 'integer' },
      ETag: { type: 'string' },
    }),
    received('204', []),
    received('4XX', [
      media('application/*+json', true),
      media('application/json', { type: 'object', required: ['error'] }),
    ]),
  ],
};
const api = buildApi({
  schemas: {
    Case: {
      type: 'object',
      required: ['id', 'method'],
      properties: {
        id: { type: 'string', readOnly: true },
        method: { enum: ['Email'], 'x-enum-any-case': true },
        pin: { type: 'string', writeOnly: true },
      },
    },
  },
  operations: [operation, { name: 'ping' }],
});

let emitted: Awaited<ReturnType<typeof importEmitted>>;
let responses: Readonly<Record<string, (status: number, mediaType: string | undefined, data: unknown) => unknown>>;

beforeAll(async () => {
  const output = await emitValidators(api);
  emitted = await importEmitted(output, 'validators');
  responses = (await importEmitted(output, 'validators'))['responseValidators'] as unknown as typeof responses;
});

describe('a request', () => {
  const path = { id: 1 };
  const body = { method: 'EMAIL', pin: 'x' };
  const cases: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['is valid if its parts are valid', { path, query: { take: 100 }, headers: { 'X-Trace': 'ab' }, body }, []],
    ['must have required parameters and bodies', { path: {} }, ['required ', 'required /path']],
    ['must have the group of a required parameter', { body }, ['required ']],
    [
      'has errors with the pointers of its parts',
      { path, query: { take: 101 }, headers: { 'X-Trace': 'a' }, body },
      ['maximum /query/take', 'minLength /headers/X-Trace'],
    ],
    ['is checked as JSON without a content type', { path, body: 'text' }, ['type /body', 'if ']],
    ['is checked by its content type', { path, contentType: 'text/plain', body: 'text' }, []],
    ['must have a text for a text media type', { path, contentType: 'text/plain', body: 1 }, ['type /body', 'if ']],
    ['is not checked inside of bytes', { path, contentType: 'application/octet-stream', body: new Uint8Array(1) }, []],
    [
      'is refused with an undocumented content type',
      { path, contentType: 'text/html', body: '' },
      ['enum /contentType'],
    ],
    ['may have read-only members, which are checked', { path, body: { ...body, id: 1 } }, ['type /body/id', 'if ']],
    ['may have undefined members', { path, query: undefined, headers: { 'X-Trace': undefined }, body }, []],
  ];

  test.each(cases)('a request: %s', (_rule, request, errors) => {
    const result = emitted['validatePutCaseRequest']?.(request) as {
      ok: boolean;
      errors?: readonly { keyword: string; pointer: string }[];
    };

    expect((result.errors ?? []).map(({ keyword, pointer }) => `${keyword} ${pointer}`).toSorted()).toEqual(
      errors.toSorted(),
    );
  });

  test('the request of an operation without parameters is optional', () => {
    expect(emitted['validatePingRequest']?.()).toEqual({ ok: true, value: {} });
  });
});

describe('a response', () => {
  const data = { id: 'a', method: 'Email' };
  const headers = { 'x-count': '3', ETag: '"x"' };
  const cases: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['is valid if its parts are valid', { status: 200, contentType: 'application/json', data, headers }, []],
    [
      'is checked by the first media type without a content type',
      { status: 200, data: { ...data, id: 1 } },
      ['type /data/id'],
    ],
    ['must have the spelling of an enum', { status: 200, data: { ...data, method: 'EMAIL' } }, ['enum /data/method']],
    ['must not have write-only members', { status: 200, data: { ...data, pin: 'x' } }, ['false schema /data/pin']],
    ['must have its required headers', { status: 200, data, headers: { etag: 'x' } }, ['required /headers']],
    [
      'has the texts of its headers parsed as numbers',
      { status: 200, data, headers: new Headers({ ...headers, 'x-count': 'many' }) },
      ['pattern /headers/x-count'],
    ],
    [
      'is not checked inside of another media type',
      { status: 200, contentType: 'application/pdf', data: new Blob([]) },
      [],
    ],
    ['must have a documented media type', { status: 200, contentType: 'text/html', data }, ['contentType /data']],
    ['may have no data', { status: 204, data: undefined }, []],
    [
      'may have a status of a documented range',
      { status: 404, contentType: 'Application/JSON; a=b', data: {} },
      ['required /data'],
    ],
    ['must have a documented status', { status: 500, data: {} }, ['status /status']],
  ];

  test.each(cases)('a response: %s', (_rule, response, errors) => {
    const result = emitted['validatePutCaseResponse']?.(response) as {
      ok: boolean;
      errors?: readonly { keyword: string; pointer: string }[];
    };

    expect((result.errors ?? []).map(({ keyword, pointer }) => `${keyword} ${pointer}`)).toEqual(errors);
  });
});

describe('responses.ts', () => {
  test('responses.ts has the validator of each response under the name of its operation', () => {
    expect(responses['putCase']?.(200, 'application/json', { id: 1, method: 'Email' })).toEqual([
      { pointer: '/id', message: 'must be string', keyword: 'type', params: { type: 'string' } },
    ]);
    expect(responses['putCase']?.(200, undefined, { id: '', method: 'Email' })).toEqual([]);
  });

  test('responses.ts does not validate an undocumented status', () => {
    expect(responses['ping']?.(500, 'text/html', '')).toEqual([]);
  });
});
