import { expect, test } from 'vitest';

import { documentWith, loadDocument } from '../support/load-document.js';

const ok = { responses: { 200: { description: 'ok' } } };
const body = (name: string): object => ({ name, in: 'body', schema: { type: 'object' } });
const form = { schema: { type: 'object', properties: { photo: { type: 'string' } } } };
const text = { schema: { type: 'string' } };

function swagger2(pathItem: object): object {
  return { swagger: '2.0', info: { title: 'Test', version: '1' }, paths: { '/a/{id}': pathItem } };
}

function withHeaders(headers: object): object {
  return documentWith({ '/a': { get: { responses: { 200: { description: 'ok', headers } } } } });
}

function withBody(requestBody: unknown): object {
  return documentWith({ '/a': { post: { ...ok, requestBody } } });
}

function withScheme(scheme: object): object {
  return documentWith({ '/a': { get: ok } }, { components: { securitySchemes: { s: scheme } } });
}

async function warningsOf(document: object): Promise<string[]> {
  const { diagnostics } = await loadDocument(document);
  return diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, pointer, message, line }) => `${severity} ${line === undefined ? '?' : ''}${pointer} ${message}`);
}

const ID = { name: 'id', in: 'path', required: true };

test.each<[string, object, string]>([
  [
    'a body parameter of the path beside one of the operation',
    swagger2({ parameters: [body('one')], post: { ...ok, parameters: [{ ...ID, type: 'string' }, body('two')] } }),
    'warning /paths/~1a~1{id}/post/parameters/1 The path has another body parameter; only this one is used.',
  ],
  [
    'a form field beside a body',
    swagger2({
      post: {
        ...ok,
        parameters: [{ ...ID, type: 'string' }, body('one'), { name: 'f', in: 'formData', type: 'string' }],
      },
    }),
    'warning /paths/~1a~1{id}/post/parameters/2 An operation has a body or form fields, not both; this field is ignored.',
  ],
  [
    'a path parameter of OpenAPI 2.0 that is not required',
    swagger2({ get: { ...ok, parameters: [{ name: 'id', in: 'path', type: 'string' }] } }),
    'warning /paths/~1a~1{id}/get/parameters/0 A path parameter must have "required": true.',
  ],
  [
    'a path parameter that is not required',
    documentWith({ '/a/{id}': { get: { ...ok, parameters: [{ ...ID, ...text, required: false }] } } }),
    'warning /paths/~1a~1{id}/get/parameters/0 A path parameter must have "required": true.',
  ],
  [
    'a server variable whose default is not in its enum',
    {
      ...documentWith({ '/a': { get: ok } }),
      openapi: '3.0.3',
      servers: [{ url: 'https://{env}.example.com', variables: { env: { default: 'prd', enum: ['prod'] } } }],
    },
    'warning /servers/0/variables/env/default The default of a server variable must be one of its enum.',
  ],
  [
    'an encoding of an unknown property',
    withBody({ content: { 'multipart/form-data': { ...form, encoding: { phota: { contentType: 'image/png' } } } } }),
    'warning /paths/~1a/post/requestBody/content/multipart~1form-data/encoding/phota The schema has no property "phota". Did you mean "photo"?',
  ],
  [
    'a body that is null',
    withBody(null),
    'warning /paths/~1a/post/requestBody A Request Body Object is expected here, not null.',
  ],
  [
    'a response that is null',
    documentWith({ '/a': { get: { responses: { 200: { description: 'ok' }, 404: null } } } }),
    'warning /paths/~1a/get/responses/404 A Response Object is expected here, not null.',
  ],
  [
    'a path that is another with escapes',
    documentWith({ '/x y': { get: ok }, '/x%20y': { get: ok } }),
    'warning /paths/~1x%20y The path "/x%20y" is the same as "/x y", but for the names of its parameters and for escapes.',
  ],
  [
    'a member of another type of security scheme',
    withScheme({ type: 'apiKey', name: 'k', in: 'header', scheme: 'basic' }),
    'warning /components/securitySchemes/s/scheme "scheme" has no meaning at the type "apiKey"; it belongs to "http".',
  ],
  [
    'a header in two spellings',
    withHeaders({ 'X-Foo': text, 'x-foo': text }),
    'warning /paths/~1a/get/responses/200/headers/x-foo The header "x-foo" is given twice.',
  ],
])('%s is a warning with its place', async (_what, document, warning) => {
  expect(await warningsOf(document)).toEqual([warning]);
});

test.each<[string, object]>([
  [
    'an encoding of a property of a branch, and one of a schema with free names',
    withBody({
      content: {
        'multipart/form-data': { schema: { allOf: [form.schema, { type: 'object' }] }, encoding: { photo: {} } },
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', additionalProperties: { type: 'string' } },
          encoding: { any: {} },
        },
      },
    }),
  ],
  [
    'the members of its own type of security scheme',
    withScheme({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }),
  ],
  ['two headers', withHeaders({ 'X-Foo': text, 'X-Bar': text })],
  ['a path with a broken escape', documentWith({ '/100%': { get: ok }, '/100': { get: ok } })],
])('%s gives no warning', async (_what, document) => {
  expect(await warningsOf(document)).toEqual([]);
});

test('a reference whose name is written with percent signs is read as it is, with a warning', async () => {
  const name = 'Pick_Job.%22github%22_';
  const schema = { $ref: `#/components/schemas/${name}` };
  const document = documentWith(
    { '/a': { get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } } } },
    { components: { schemas: { [name]: { type: 'object', properties: { github: { type: 'string' } } } } } },
  );
  const { schemas } = await loadDocument(document);
  expect([...schemas.values()].map(({ originalName }) => originalName)).toEqual([name]);
  expect(await warningsOf(document)).toEqual([
    `warning /paths/~1a/get/responses/200/content/application~1json/schema/$ref The percent signs of ${JSON.stringify(schema.$ref)} are read as they are, because the unescaped name has no target. Write % as %25.`,
  ]);
});
