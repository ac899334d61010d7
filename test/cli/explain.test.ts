import { describe, expect, it } from 'vitest';

import { explain } from '../../entry/specmill.js';
import { runCli } from '../../cli/run-cli.js';
import { type CapturedRun, captureIo, runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

const FILES = {
  'shop.yaml': `openapi: 3.1.0
info: { title: Shop, version: '2' }
paths:
  /orders:
    get:
      operationId: listOrders
      responses:
        '200': { description: d, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } } }
    post:
      operationId: createOrder
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses: { '201': { description: d, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } }
  /orders/{orderId}:
    get:
      operationId: getOrder
      parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: d, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } }
  /ping:
    get: { operationId: ping, responses: { '200': { description: d, content: { application/json: { schema: { type: object } } } } } }
components:
  schemas:
    Order: { type: object, required: [id], properties: { id: { type: integer }, note: { type: string } } }
`,
};

/** Starts mocks and stops them at once. */
async function runMockBriefly(cwd: string, ...argv: string[]): Promise<CapturedRun> {
  const { io, texts } = captureIo(cwd, AbortSignal.abort());
  const status = await runCli(['mock', ...argv, '--port', '0'], io);
  return { status, ...texts };
}

describe('specmill explain', () => {
  it('prints each resource, and the operations without state with the reason', async () => {
    const run = await runCaptured(tempFolder(FILES), 'explain', 'shop.yaml');
    expect(run).toMatchObject({ status: 0, err: '' });
    const lines = run.out.split('\n').map((line) => line.trimEnd());
    expect(lines[0]).toBe('Shop 2: 1 resource, 3 of 4 operations with state');
    expect(lines).toContain('/orders  a collection of Order');
    expect(run.out).toMatch(
      /id +\/id, in requests orderId +\(it has the parameter's name without the name of the item; .*shop\.yaml:16\)/,
    );
    expect(run.out).toMatch(/create +createOrder: POST \/orders → 201 +\(line 9\)/);
    expect(run.out).toMatch(/read +getOrder: GET \/orders\/\{orderId\} → 200/);
    expect(run.out).toMatch(/GET \/ping +no operation changes what it shows/);
  });

  it.each(['/orders', 'orders', 'getOrder', '/orders/{orderId}'])('prints only the resource of %s', async (part) => {
    const run = await runCaptured(tempFolder(FILES), 'explain', 'shop.yaml', part);
    expect(run.status).toBe(0);
    expect(run.out).toContain('/orders  a collection of Order');
    expect(run.out).not.toContain('/ping');
  });

  it('refuses an unknown operation with a suggestion', async () => {
    const run = await runCaptured(tempFolder(FILES), 'explain', 'shop.yaml', 'getOder');
    expect(run.status).toBe(2);
    expect(run.err).toContain('The spec has no path or operation "getOder". Did you mean getOrder?');
  });

  it('plays the life of each resource with --check', async () => {
    const run = await runCaptured(tempFolder(FILES), 'explain', 'shop.yaml', '--check');
    expect(run.status).toBe(0);
    expect(run.out).toContain('All of it holds: 1 resource played against a mock.');
  });

  it('prints the map as JSON, as the function explain returns it', async () => {
    const folder = tempFolder(FILES);
    const run = await runCaptured(folder, 'explain', '--spec', 'shop.yaml', '--json');
    const expected = await explain('api', { spec: 'shop.yaml', cwd: folder });
    expect(JSON.parse(run.out)).toEqual(expected);
    expect(expected.resources[0]).toMatchObject({
      path: '/orders',
      id: { member: '/id', parameter: 'orderId' },
    });
  });

  it('prints what several lists promise once, with their names only where others differ', async () => {
    const text = { schema: { type: 'string' }, in: 'query' };
    const count = { schema: { type: 'integer' }, in: 'query' };
    const schema = {
      type: 'array',
      items: { $ref: '#/components/schemas/Pet' },
    };
    const responses = {
      200: { description: 'd', content: { 'application/json': { schema } } },
    };
    const one = {
      description: 'd',
      content: { 'application/json': { schema: schema.items } },
    };
    const petId = { ...text, name: 'petId', in: 'path', required: true };
    const create = {
      operationId: 'create',
      requestBody: { content: { 'application/json': { schema: schema.items } } },
      responses: { 201: one },
    };
    const pages = [
      { ...count, name: 'offset' },
      { ...count, name: 'limit' },
    ];
    const document = {
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1' },
      paths: {
        '/pets': {
          post: create,
          get: {
            operationId: 'list',
            parameters: [...pages, { ...text, name: 'status' }],
            responses,
          },
        },
        '/pets/search': {
          get: { operationId: 'search', parameters: pages, responses },
        },
        '/pets/{petId}': {
          get: {
            operationId: 'read',
            parameters: [petId],
            responses: { 200: one },
          },
        },
      },
      components: {
        schemas: {
          Pet: {
            type: 'object',
            properties: { id: { type: 'string' }, status: { type: 'string' } },
          },
        },
      },
    };
    const { out } = await runCaptured(tempFolder({ 'pets.json': JSON.stringify(document) }), 'explain', 'pets.json');
    expect(out.match(/^ +pages .*$/gm)).toEqual([expect.stringMatching(/by offset \(offset\), size limit$/)]);
    expect(out).toMatch(/filters +status, in list$/m);
  });

  it('names the operations with a handler of their own, and suggests nothing for a guess that no operation follows', async () => {
    const { handled, resources, suggestions } = await explain('signing');
    expect(handled).toContain('sendcase');
    const paths = new Set(resources.map(({ path }) => path));
    expect(suggestions.filter(({ path }) => !paths.has(path))).toEqual([]);
  });
});

describe('specmill mock', () => {
  it('prints a line for a resource that does not work as inferred', async () => {
    const blind = FILES['shop.yaml'].replace(
      /'201': \{.*$/m,
      "'201': { description: d, content: { application/json: { schema: { type: object, properties: { note: { type: string } } } } } } }",
    );
    const run = await runMockBriefly(tempFolder({ 'shop.yaml': blind }), 'shop.yaml');
    expect(run.err).toContain(
      'specmill: /orders does not work as inferred: createOrder: the response to a creation does not show the id /id',
    );
    expect(run.err).toContain('"specmill explain shop.yaml /orders" shows why');
  });

  it('prints no such line for resources that work', async () => {
    expect((await runMockBriefly(tempFolder(FILES), 'shop.yaml')).err).toBe('');
  });
});
