import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import type { ApiConfig } from '../../config/config-types.js';
import { type EmitterEntry, generate } from '../../entry/specmill.js';
import { compileFolder } from '../support/compile-types.js';
import { hasPackages } from '../support/missing-packages.js';
import { tempFolder } from '../support/temp-folder.js';

const text = { type: 'string' };
const done = { 204: { description: 'done' } };
const operation = { operationId: 'act', responses: done };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const xml = (kind: string) => ({ [`${kind}/xml`]: { schema: text } });

/** Documents that leave one part or another of an output empty. */
const DOCUMENTS: Readonly<Record<string, object>> = {
  nothing: { paths: {} },
  empty: { paths: { '/a': { get: operation } } },
  callbacks: {
    paths: { '/a': { post: { ...operation, callbacks: { told: { '{$request.body#/url}': { post: operation } } } } } },
  },
  webhooks: {
    webhooks: { told: { post: { operationId: 'told', requestBody: json(ref('Told')), responses: done } } },
    components: { schemas: { Told: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } } } },
  },
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
  values: {
    paths: {
      '/pets/{petId}': {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: text }],
        get: {
          operationId: 'getPet',
          tags: ['pets'],
          security: [{ key: [] }],
          parameters: [
            { name: 'since', in: 'query', schema: { type: 'string', format: 'date' } },
            { name: 'after', in: 'header', schema: { type: 'integer', format: 'int64' } },
          ],
          responses: {
            200: { description: 'ok', ...json(ref('Pet')) },
            default: { description: 'error', ...json(ref('Problem')) },
          },
        },
        patch: {
          operationId: 'changePet',
          tags: ['pets'],
          requestBody: json({ type: 'object', properties: { born: { type: 'string', format: 'date' } } }),
          responses: done,
        },
      },
      '/pets': {
        get: {
          operationId: 'listPets',
          tags: ['pets'],
          responses: { 200: { description: 'ok', ...json({ type: 'array', items: ref('Pet') }) } },
        },
      },
    },
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      schemas: {
        Pet: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { ...text, readOnly: true },
            born: { type: 'string', format: 'date-time' },
            grams: { type: 'integer', format: 'int64' },
            // A default that its own schema refuses.
            name: { ...text, default: null },
          },
        },
        Problem: { type: 'object', properties: { code: text }, additionalProperties: text },
      },
    },
  },
  heads: { paths: { '/a': { head: { responses: { default: { description: 'any' } } } } } },
  bytes: {
    paths: {
      '/a': { put: { ...operation, requestBody: { content: { 'application/octet-stream': {} } } } },
      // Two media types that end with the same word.
      '/xml': {
        get: {
          responses: {
            200: { description: 'ok', content: { ...json(text).content, ...xml('application'), ...xml('text') } },
          },
        },
      },
      '/b': { get: { responses: { '2XX': { description: 'ok', content: { 'image/*': {} } } } } },
    },
  },
};

/** The emitters with other options. */
const OTHERWISE = [
  ['zod', { variant: 'mini', unknownKeys: 'strict', defaults: 'apply', coerce: true, metadata: true }],
  ['server', { responses: 'off', strict: true }],
  ...(hasPackages('test/matrix') ? [['msw', { validate: true }] as const] : []),
] as const;

/** The usual parts with every emitter: those whose packages are here. */
const emitters = [
  'zod',
  'tanstack-query',
  ['server', { framework: 'hono' }],
  ...(hasPackages('test/matrix') ? ['msw'] : []),
] as const;

const KINDS: Readonly<Record<string, Partial<ApiConfig<EmitterEntry>>>> = {
  all: { emitters },
  validators: { only: ['validators'] },
  fixtures: { only: ['fixtures'] },
  client: { only: ['client'], dates: 'Date', int64: 'bigint', ids: 'branded', group: 'tags' },
  typed: { dates: 'Temporal', int64: 'string', ids: 'branded', group: 'paths', emitters: OTHERWISE },
};

it(
  'no import, variable or parameter of an output is unused, whatever a document lacks',
  { timeout: 60_000 },
  async () => {
    const files = Object.entries(DOCUMENTS).map(([name, parts]) => {
      const document = { openapi: '3.1.0', info: { title: name, version: '1' }, ...parts };
      return [`${name}.json`, JSON.stringify(document)] as const;
    });
    const folder = tempFolder(Object.fromEntries(files));
    linkPackages(folder);
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
    // The types of queries and of Zod's schemas are inferred. ES2022 lacks Temporal. Packages are not under test.
    const lib = ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable', 'esnext.temporal'];
    expect(await compileFolder(folder, { lib, skipLibCheck: true, isolatedDeclarations: false })).toBe('');
  },
);

/** Lets outputs import the packages that their emitters name. */
function linkPackages(folder: string): void {
  mkdirSync(path.join(folder, 'node_modules/@tanstack'), { recursive: true });
  const link = (name: string, from = `node_modules/${name}`): void =>
    symlinkSync(path.resolve(from), path.join(folder, 'node_modules', name));
  for (const name of ['zod', 'hono', '@tanstack/react-query']) link(name);
  if (hasPackages('test/matrix')) link('msw', 'test/matrix/node_modules/msw-2');
}
