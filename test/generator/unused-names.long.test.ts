import { expect, it } from 'vitest';

import { generate } from '../../entry/specmill.js';
import { compileFolder } from '../support/compile-types.js';
import { tempFolder } from '../support/temp-folder.js';

const text = { type: 'string' };
const done = { 204: { description: 'done' } };
const operation = { operationId: 'act', responses: done };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

/** Documents that leave one part or another of an output empty. */
const DOCUMENTS: Readonly<Record<string, object>> = {
  nothing: { paths: {} },
  empty: { paths: { '/a': { get: operation } } },
  callbacks: {
    paths: { '/a': { post: { ...operation, callbacks: { told: { '{$request.body#/url}': { post: operation } } } } } },
  },
  webhooks: { webhooks: { told: { post: { operationId: 'told', requestBody: json(text), responses: done } } } },
  texts: { components: { schemas: { Name: text, Kind: { enum: ['a', 'b'] }, Any: true, Never: false } } },
  unions: { components: { schemas: { Both: { oneOf: [text, { type: 'array', items: text }] } } } },
  dates: {
    paths: {
      '/a': {
        get: {
          ...operation,
          responses: { 200: { description: 'ok', ...json({ type: 'string', format: 'date-time' }) } },
        },
      },
    },
  },
  heads: { paths: { '/a': { head: { responses: { default: { description: 'any' } } } } } },
  bytes: {
    paths: {
      '/a': { put: { ...operation, requestBody: { content: { 'application/octet-stream': {} } } } },
      '/b': { get: { responses: { '2XX': { description: 'ok', content: { 'image/*': {} } } } } },
    },
  },
};

const KINDS = {
  all: {},
  validators: { only: ['validators'] },
  fixtures: { only: ['fixtures'] },
  client: { only: ['client'], types: { dates: 'Date', int64: 'bigint' } },
} as const;

it(
  'no import, variable or parameter of an output is unused, whatever a document lacks',
  { timeout: 60_000 },
  async () => {
    const files = Object.entries(DOCUMENTS).map(([name, parts]) => {
      const document = { openapi: '3.1.0', info: { title: name, version: '1' }, ...parts };
      return [`${name}.json`, JSON.stringify(document)] as const;
    });
    const folder = tempFolder(Object.fromEntries(files));
    const apis = Object.keys(DOCUMENTS).flatMap((name) =>
      Object.entries(KINDS).map(
        ([kind, options]) =>
          [`${name}-${kind}`, { spec: `${name}.json`, output: `out/${name}-${kind}`, ...options }] as const,
      ),
    );
    const { apis: results } = await generate({ cwd: folder, config: { apis: Object.fromEntries(apis) } });
    expect(
      results
        .filter(({ status }) => status !== 'written')
        .map(({ name, error, diagnostics }) => [name, error, diagnostics]),
    ).toEqual([]);
    expect(await compileFolder(folder)).toBe('');
  },
);
