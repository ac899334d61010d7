import { expect, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { valueAtPath } from '../../../model/document/pointer.js';
import { loadDocument } from '../../support/load-document.js';

type Json = Readonly<Record<string, unknown>>;

const TEXT: Json = { type: 'string' };
const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  required,
  properties,
});
const json = (schema: Json): Json => ({ content: { 'application/vnd.api+json': { schema } } });
const ok = (schema: Json): Json => ({ description: 'ok', ...json(schema) });
const ARTICLE: Json = { $ref: '#/components/schemas/Article' };

/** Documents of JSON:API, whose path parameters name the id in different ways. */
function toDocument(parameter: string, takes: Json, isInline: boolean): Json {
  const resource = object({
    type: { const: 'articles' },
    id: TEXT,
    attributes: object({ title: TEXT, body: TEXT }, ['title']),
  });
  const item = isInline ? resource : ARTICLE;
  const sent = object({
    data: object({ type: { const: 'articles' }, attributes: object({ title: TEXT, body: TEXT }, ['title']) }),
  });
  const patch = object({
    data: object({ type: { const: 'articles' }, id: TEXT, attributes: object({ title: TEXT, body: TEXT }, []) }),
  });
  const one = object({ data: item, links: object({ self: TEXT }) }, ['data']);
  const page = object({ data: { type: 'array', items: item }, meta: object({ total: { type: 'integer' } }) }, ['data']);
  return {
    openapi: '3.1.0',
    info: { title: 'Articles', version: '1' },
    paths: {
      '/articles': {
        get: { operationId: 'list', responses: { 200: ok(page) } },
        post: { operationId: 'create', requestBody: { required: true, ...json(sent) }, responses: { 201: ok(one) } },
      },
      [`/articles/{${parameter}}`]: {
        parameters: [{ name: parameter, in: 'path', required: true, schema: takes }],
        get: { operationId: 'read', responses: { 200: ok(one), 404: { description: 'none' } } },
        patch: {
          operationId: 'change',
          requestBody: { required: true, ...json(patch) },
          responses: { 200: ok(one), 404: { description: 'none' } },
        },
        delete: { operationId: 'delete', responses: { 204: { description: 'gone' }, 404: { description: 'none' } } },
      },
    },
    components: { schemas: { Article: resource } },
  };
}

test.each([
  ['id', TEXT, false],
  ['articleId', TEXT, true],
  ['article_id', { type: 'integer' }, false],
  ['article', TEXT, true],
] as const)('a document of JSON:API keeps its state below /articles/{%s}', async (parameter, takes, isInline) => {
  const mock = await startMock(await loadDocument(toDocument(parameter, takes, isInline)), { seed: 1 });
  const send = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<readonly [status: number, body: unknown]> => {
    const headers = { 'content-type': 'application/vnd.api+json' };
    const response = await mock.fetch(mock.url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers }),
    });
    const text = await response.text();
    return [response.status, text === '' ? undefined : (JSON.parse(text) as unknown)];
  };
  try {
    const [status, made] = await send('POST', '/articles', {
      data: { type: 'articles', attributes: { title: 'one' } },
    });
    expect([status, valueAtPath(made, ['data', 'attributes', 'title'])]).toEqual([201, 'one']);
    const id = String(valueAtPath(made, ['data', 'id']));
    const shown = await send('GET', `/articles/${id}`);
    expect([shown[0], valueAtPath(shown[1], ['data'])]).toEqual([200, valueAtPath(made, ['data'])]);
    const [, page] = await send('GET', '/articles');
    expect(valueAtPath(page, ['data'])).toEqual([valueAtPath(made, ['data'])]);
    await send('PATCH', `/articles/${id}`, { data: { type: 'articles', id, attributes: { body: 'text' } } });
    const [, changed] = await send('GET', `/articles/${id}`);
    expect(valueAtPath(changed, ['data', 'attributes'])).toEqual({ title: 'one', body: 'text' });
    expect((await send('DELETE', `/articles/${id}`))[0]).toBe(204);
    expect((await send('GET', `/articles/${id}`))[0]).toBe(404);
  } finally {
    await mock.close();
  }
});
