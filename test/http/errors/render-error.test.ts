import path from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Api } from '../../../model/api.js';
import { loadApi } from '../../../model/load-api.js';
import { refTo } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { createRenderError } from '../../../http/errors/render-error.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const STATUSES = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 426, 429, 500, 501, 503, 504];
const VIOLATIONS = [{ in: 'body', pointer: '/Name', message: 'must be string' }] as const;

function valueOf(
  render: ReturnType<typeof createRenderError>,
  error: Parameters<ReturnType<typeof createRenderError>>[0],
): unknown {
  const { body } = render(error);
  return body.kind === 'json' ? body.value : undefined;
}

function loadSpec(name: string): Promise<Api> {
  return loadApi(path.resolve(`specs/${name}/openapi.yaml`));
}

describe('the error shapes of the seven APIs', () => {
  it.each(['signing', 'generation', 'dictionary', 'tables', 'notifications', 'rate-limits'])(
    '%s: every failure of every operation is valid against the declared schema',
    async (name) => {
      const api = await loadSpec(name);
      const render = createRenderError(api);
      const validate = compileValidator(api, { $ref: refTo('Error') }, { direction: 'response' });
      for (const operation of [...api.operations, undefined]) {
        for (const status of STATUSES) {
          for (const violations of [[], VIOLATIONS]) {
            const error = { status, message: 'No.', violations, ...(operation === undefined ? {} : { operation }) };
            expect(validate(valueOf(render, error)), `${operation?.id} ${status}`).toEqual([]);
            expect(render(error).headers).toEqual({ 'content-type': 'application/json' });
          }
        }
      }
    },
  );

  it.each([
    ['signing', 404, { error: { errorCode: 'notFound', message: 'No.' } }],
    ['signing', 415, { error: { errorCode: 'unsupportedMediaType', message: 'No.' } }],
    ['signing', 500, { error: { errorCode: 'internalError', message: 'No.' } }],
    ['generation', 404, { error: { code: 404, message: 'No.', status: 'NOT_FOUND' } }],
    ['generation', 413, { error: { code: 413, message: 'No.', status: 'INVALID_ARGUMENT' } }],
    ['dictionary', 404, { error: { code: 404_000, message: 'No.', status: 'NOT_FOUND' } }],
    ['tables', 412, { error: { code: 412, message: 'No.', status: 'FAILED_PRECONDITION' } }],
    ['notifications', 404, { message: 'No.', status: '404' }],
  ])('%s, %i without an operation, has the error shape of the API', async (name, status, want) => {
    expect(valueOf(createRenderError(await loadSpec(name)), { status, message: 'No.' })).toEqual(want);
  });

  it('uses the code in the documented example of a failure', async () => {
    const api = await loadSpec('signing');
    const operation = api.operations.find(({ id }) => id === 'getcase');
    const error = { status: 404, message: 'There is no such case.', ...(operation === undefined ? {} : { operation }) };
    expect(valueOf(createRenderError(api), error)).toEqual({
      error: { errorCode: 'caseNotFound', message: 'There is no such case.' },
    });
  });

  it('keeps the declared error shape if a credential is missing', async () => {
    const violations = [{ in: 'security', pointer: '', message: 'No.' }] as const;
    const want = { error: { errorCode: 'authenticationFailed', message: 'No.' } };
    expect(valueOf(createRenderError(await loadSpec('signing')), { status: 401, message: 'No.', violations })).toEqual(
      want,
    );
  });

  it('violations and details are inside the member error, or at the top if there is none', async () => {
    const error = { status: 400, message: 'No.', violations: VIOLATIONS, details: { hint: 'x' } };
    expect(valueOf(createRenderError(await loadSpec('signing')), error)).toEqual({
      error: { errorCode: 'invalidRequest', message: 'No.', hint: 'x', violations: VIOLATIONS },
    });
    expect(valueOf(createRenderError(await loadSpec('notifications')), error)).toMatchObject({
      message: 'No.',
      hint: 'x',
      violations: VIOLATIONS,
    });
  });
});

describe('the error shape of any spec', () => {
  const table: [string, object, unknown][] = [
    ['only a message', { properties: { message: { type: 'string' } } }, { message: 'No.' }],
    ['error as text', { required: ['error'], properties: { error: { type: 'string' } } }, { error: 'No.' }],
    [
      'a code as enum',
      { properties: { code: { enum: ['BAD_REQUEST', 'NOT_FOUND'] }, detail: { type: 'string' } } },
      { code: 'NOT_FOUND', detail: 'No.' },
    ],
    [
      'required members of any name',
      {
        required: ['trace', 'retry'],
        properties: { trace: { type: 'string', default: 't' }, retry: { type: 'boolean' } },
      },
      { trace: 't', retry: false, message: 'No.' },
    ],
    [
      'a list of errors',
      {
        required: ['errors'],
        properties: {
          errors: {
            type: 'array',
            items: { type: 'object', properties: { title: { type: 'string' }, status: { type: 'string' } } },
          },
        },
      },
      { errors: [{ title: 'Not Found', status: 'NOT_FOUND' }], message: 'No.' },
    ],
    [
      'an optional list of errors with a text',
      {
        properties: {
          time: { type: 'integer' },
          faults: {
            type: 'array',
            items: { type: 'object', properties: { place: { type: 'integer' }, detail: { type: 'string' } } },
          },
        },
        additionalProperties: false,
      },
      { faults: [{ detail: 'No.' }] },
    ],
    [
      'an error inside of itself',
      {
        properties: {
          code: { type: 'integer' },
          cause: { $ref: '#/paths/~1a/get/responses/404/content/application~1json/schema' },
        },
      },
      { code: 404, message: 'No.' },
    ],
    ['an object without members', {}, { message: 'No.' }],
    [
      'another failure that has no place for the message',
      { additionalProperties: { type: 'object' } },
      { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No.' },
    ],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { message: { type: 'string' } } },
          { properties: { status: { type: 'integer' } } },
        ],
      },
      { message: 'No.', status: 404 },
    ],
  ];

  it.each(table)('the error shape of any spec: %s', async (_name, schema, want) => {
    const content = { 'application/json': { schema: { type: 'object', ...schema } } };
    const api = await loadDocument(
      documentWith({ '/a': { get: { responses: { 404: { description: 'x', content } } } } }),
    );
    expect(valueOf(createRenderError(api), { status: 404, message: 'No.' })).toEqual(want);
  });

  it.each<[string, object, unknown]>([
    ['a map of objects', { type: 'object', additionalProperties: { type: 'object' } }, {}],
    ['a number', { type: 'integer' }, undefined],
    ['a closed object', { type: 'object', properties: { ok: { const: false } }, additionalProperties: false }, {}],
  ])('the body of an error has its documented shape even if that has no place for the reason: %s', async (...row) => {
    const [, schema, want] = row;
    const content = { 'application/json': { schema } };
    const api = await loadDocument(
      documentWith({ '/a': { get: { responses: { 404: { description: 'x', content } } } } }),
    );
    const [operation] = api.operations;
    const render = createRenderError(api);
    const error = { status: 404, message: 'No.', ...(operation === undefined ? {} : { operation }) };
    expect(render(error).reason).toBe('No.');
    if (want !== undefined) expect(valueOf(render, error)).toEqual(want);
  });

  it('the error shape of any spec is a problem (RFC 9457) if the spec declares none', async () => {
    const api = await loadDocument(documentWith({ '/a': { get: { responses: { 200: { description: 'x' } } } } }));
    expect(createRenderError(api)({ status: 404, message: 'No.' })).toEqual({
      body: { kind: 'json', value: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No.' } },
      headers: { 'content-type': 'application/problem+json' },
    });
  });
});

describe('errors that are documented as XML', () => {
  const error = {
    type: 'object',
    required: ['code', 'message', 'requestId'],
    properties: {
      code: { type: 'integer', xml: { attribute: true } },
      message: { type: 'string', xml: { name: 'Message' } },
      requestId: { type: 'string' },
    },
    xml: { name: 'Error' },
  };
  const xml = { content: { 'application/xml': { schema: error } } };
  const json = { content: { 'application/json': { schema: error } } };

  it.each([
    ['of this status', { 404: { description: 'none', ...xml } }],
    ['of the default', { default: { description: 'any', ...xml } }],
    ['of another status', { 200: { description: 'ok' }, 500: { description: 'broken', ...xml } }],
  ])('errors in XML have the elements of the schema %s', async (_which, responses) => {
    const api = await loadDocument(documentWith({ '/a': { get: { responses } } }));
    const [operation] = api.operations;
    const { body, headers } = createRenderError(api)({ status: 404, message: '<No>', operation } as Parameters<
      ReturnType<typeof createRenderError>
    >[0]);
    expect(headers).toEqual({ 'content-type': 'application/xml' });
    expect(body.kind === 'text' && body.text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><Error code="404"><Message>&lt;No&gt;<\/Message><requestId>.+<\/requestId><\/Error>$/,
    );
  });

  it('errors are JSON if the operation documents both JSON and XML', async () => {
    const both = { description: 'none', content: { ...xml.content, ...json.content } };
    const api = await loadDocument(documentWith({ '/a': { get: { responses: { 404: both } } } }));
    const [operation] = api.operations;
    expect(
      createRenderError(api)({ status: 404, message: 'No', operation } as Parameters<
        ReturnType<typeof createRenderError>
      >[0]).body.kind,
    ).toBe('json');
  });
});
