import { afterAll, beforeAll, expect, it } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { type Mock, startMock } from '../../../entry/mock.js';
import type { Api } from '../../../model/api.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { type CreateTestClient, emitClient } from '../../support/emit-client.js';
import { OutputFolder } from '../../support/output-folder.js';

const META = {
  type: 'object',
  required: ['tags', 'size'],
  properties: {
    tags: { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
    size: { type: 'integer' },
  },
};
const DOCUMENT = {
  ...documentWith({
    '/form': {
      post: {
        operationId: 'sendForm',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['meta', 'inner'],
                properties: {
                  meta: META,
                  inner: {
                    type: 'object',
                    required: ['meta', 'note'],
                    properties: { meta: META, note: { type: 'string' } },
                  },
                },
              },
              encoding: {
                meta: {
                  contentType: 'application/x-www-form-urlencoded',
                  encoding: { tags: { style: 'pipeDelimited', explode: false } },
                },
                inner: {
                  contentType: 'multipart/form-data',
                  encoding: { meta: { contentType: 'application/x-www-form-urlencoded' } },
                },
              },
            },
          },
        },
        responses: { 204: { description: 'done' }, 400: { description: 'wrong' } },
      },
    },
  }),
  openapi: '3.2.0',
};
const META_VALUE = { tags: ['a & b', 'c'], size: 7 };
const BODY = { meta: META_VALUE, inner: { meta: META_VALUE, note: 'n' } };

const output = new OutputFolder();
let api: Api;
let mock: Mock;
let createTestClient: CreateTestClient;

beforeAll(async () => {
  api = await loadDocument(DOCUMENT);
  createTestClient = await emitClient(api, output);
  mock = await startMock(api, { port: 0, seed: 1 });
});
afterAll(async () => {
  output[Symbol.dispose]();
  await mock.close();
});

it('a part that is itself a form is written and read by its own encodings', async () => {
  expect(output.typeCheck()).toBe('');
  let sent = '';
  const client = createTestClient({
    baseUrl: mock.url,
    fetch: async (url: string, init: RequestInit) => {
      const request = new Request(url, init);
      sent = await request.clone().text();
      return fetch(request);
    },
  });
  await client['sendForm']?.({ body: BODY });
  expect(sent).toContain('Content-Type: application/x-www-form-urlencoded\r\n\r\ntags=a%20%26%20b%7Cc&size=7\r\n');
  expect(sent).toMatch(/name="inner"\r\nContent-Type: multipart\/form-data; boundary=/);
  const [entry] = await mock.requests();
  expect(entry?.request.body).toEqual(BODY);
});

it('a contract run sends nested forms, and finds nothing in the mock', async () => {
  const report = await runContract({ api, url: mock.url, fetch: mock.fetch, maxExamples: 4 });
  expect(report.findings.map(({ check, message, curl }) => [check, message, curl])).toEqual([]);
  expect((await mock.requests()).filter(({ status }) => status === 204).length).toBeGreaterThan(3);
});
