import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { clientEmitter } from '../../../generator/client/emit-client.js';
import { emitReadme } from '../../../generator/emit-readme.js';
import { readHelpers } from '../../../generator/helpers/read-helpers.js';
import type { EmitOptions } from '../../../generator/emitter.js';
import { typesEmitter } from '../../../generator/types/emit-types.js';
import { startEchoServer } from '../../support/echo-server.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const OPTIONS: EmitOptions = { apiName: 'shop', emitters: new Set(['types', 'client']), report: () => undefined };
const json = (schema: object): object => ({ description: 'x', content: { 'application/json': { schema } } });
const object = (...names: string[]): object => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});

const SHOP = {
  ...documentWith(
    {
      '/orders/{id}': {
        get: {
          operationId: 'getOrder',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: json(object('id')),
            404: json(object('missing')),
            '4XX': json(object('refused')),
            default: json(object('broken')),
          },
          security: [{ login: [] }],
        },
      },
      '/orders': {
        post: {
          operationId: 'createOrder',
          parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } }],
          responses: { 201: json(object('id')), 409: json(object('conflict')) },
        },
      },
    },
    {
      components: {
        securitySchemes: {
          login: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: 'https://shop.test/token', scopes: { read: 'Reads.' } } },
          },
        },
      },
    },
  ),
  servers: [
    {
      url: 'http://{host}:{port}/v{version}',
      variables: {
        host: { default: '127.0.0.1' },
        port: { default: '1' },
        version: { default: '2', enum: ['1', '2'], description: 'Of the API.' },
      },
    },
  ],
};

const output = new OutputFolder();
afterAll(() => output[Symbol.dispose]());

interface Shop {
  readonly createShopClient: (options?: object) => Record<'getOrder' | 'createOrder', Method>;
  readonly shopBaseUrl: (server?: object) => string;
  readonly oauth2: (options: object) => unknown;
}

type Method = ((...args: object[]) => Promise<Record<string, unknown>>) & {
  readonly safe: (...args: object[]) => Promise<Record<string, unknown>>;
};

let shop: Shop;
beforeAll(async () => {
  const api = await loadDocument(SHOP);
  await output.writeFiles([...(await clientEmitter.emit(api, OPTIONS)), ...(await typesEmitter.emit(api, OPTIONS))]);
  output.write('use.ts', USE);
  shop = await output.run<Shop>('client.ts');
});

/** What a user writes; it is compiled, not run. */
const USE = `
import { createShopClient, shopBaseUrl, safely, retries, renewals, attemptTimeouts, oauth2, type Middleware } from './client.js';
import { getOrder } from './operations.js';
import type { ShopOperations } from './types.js';

const log: Middleware = async (request, next, { operation }) => {
  const response = await next(request);
  console.log(operation.name, response.status);
  return response;
};

export async function use(): Promise<string> {
  const client = createShopClient({ server: { version: '1', port: '80' }, retry: { attempts: 4, onRetry: ({ attempt }) => console.log(attempt) }, middleware: [log], attemptTimeout: 100, timeout: 1000, init: { credentials: 'include', next: { tags: ['a'] } } });
  // @ts-expect-error 3 is not a version
  createShopClient({ server: { version: '3' } });
  // @ts-expect-error the method belongs to the operation
  createShopClient({ init: { method: 'POST' } });
  createShopClient();
  createShopClient({ credentials: { login: 'token' } });
  createShopClient({ credentials: { login: async ({ reason }) => (reason === 'unauthorized' ? 'new' : 'old') } });
  createShopClient({ credentials: { login: oauth2({ tokenUrl: 'https://x.test', clientId: 'a', clientSecret: 'b' }) } });
  await client.createOrder();
  const result = await client.getOrder.safe({ path: { id: '1' } }, { retry: false });
  switch (result.status) {
    case 200: { const text: string = result.data.id; return text; }
    case 404: { const text: string = result.error.missing; return text; }
    case 403: { const text: string = result.error.refused; return text; }
    case 503: { const text: string = result.error.broken; return text; }
    case undefined: { const name: 'NetworkError' | string = result.error.name; return name; }
    default: result.error; break;
  }
  const other = await client.getOrder.safe({ path: { id: '1' } });
  if (other.error === undefined) return other.data.id;
  const created = await client.createOrder.safe();
  if (created.status === 201) return created.data.id;
  if (created.status === 409) return created.error.conflict;
  // @ts-expect-error the error of an undocumented status is unknown
  if (created.status === 500) return created.error.conflict;
  const context = { baseUrl: shopBaseUrl({ port: '80' }), middleware: [renewals(), log, retries({ attempts: 2 }), attemptTimeouts(50)] };
  const own = await safely<ShopOperations['getOrder']>(getOrder(context, { path: { id: '1' } }));
  return own.status === 404 ? own.error.missing : '';
}
`;

it('calls with servers, credentials, middleware and results without exceptions type-check', () => {
  expect(output.typeCheck()).toBe('');
});

describe('the server', () => {
  async function readmeOf(document: object): Promise<string> {
    const api = await loadDocument(document);
    const { contents } = emitReadme(api, OPTIONS, await readHelpers(api, OPTIONS));
    return typeof contents === 'string' ? contents : contents();
  }

  it('the client calls the first server of the document, with its variables as options', async () => {
    await using server = await startEchoServer();
    const { port } = new URL(server.url);
    await shop.createShopClient({ server: { port } }).createOrder();
    await shop.createShopClient({ server: { port, version: '1' } }).createOrder();
    await shop.createShopClient({ baseUrl: `${server.url}/own/` }).createOrder();
    expect(server.received.map(({ url }) => url)).toEqual(['/v2/orders', '/v1/orders', '/own/orders']);
    expect(shop.shopBaseUrl({ host: 'a.test' })).toBe('http://a.test:1/v2');
  });

  it('the README names the server and the option that replaces it', async () => {
    const text = await readmeOf(SHOP);
    expect(text).toContain('Calls go to `http://127.0.0.1:1/v2` (`shopBaseUrl`).');
    expect(text).toContain("`{ server: { host: '127.0.0.1' } }`");
    expect(text).toContain("`{ baseUrl: 'https://api.example.com' }`");
  });

  it.each([
    ['/v1', 'https://api.example.com/v1'],
    ['v1', 'https://api.example.com/v1'],
    ['../v1/', 'https://api.example.com/v1/'],
    ['//a.test/v1', 'https://a.test/v1'],
  ])('the README gives the whole URL if the server is the relative %s', async (url, address) => {
    const text = await readmeOf({ ...SHOP, servers: [{ url }] });
    expect(text).toContain(`createShopClient({ baseUrl: '${address}'`);
    expect(text).toContain(`The server of the API description is relative (\`${url}\`)`);
  });

  it('the README says if there is no server, or none that a client can call', async () => {
    expect(await readmeOf({ ...SHOP, servers: [] })).toContain('The API description names no server, so the option');
    const text = await readmeOf({ ...SHOP, servers: [{ url: 'ftp://a.test' }] });
    expect(text).toContain('A client cannot call the server of the API description, so the option `baseUrl`');
  });

  it.each(['/v1', 'ftp://a.test', 'https://user:pass@a.test', 'https://{open}.test', 'https://a.test?x=1'])(
    'the option baseUrl is required if the first server of the document is %s',
    async (url) => {
      const api = await loadDocument({ ...SHOP, servers: [{ url }] });
      const [file] = await clientEmitter.emit(api, OPTIONS);
      const text = typeof file?.contents === 'function' ? await file.contents() : file?.contents;
      expect(text).toContain('readonly baseUrl: string;');
    },
  );
});

describe('calls of a client', () => {
  it('calls of a client are retried unless retry is false, and a POST if the document declares an idempotency key', async () => {
    let count = 0;
    await using server = await startEchoServer((_request, response) => {
      count += 1;
      response.writeHead(count % 2 === 1 ? 503 : 201, { 'content-type': 'application/json' }).end('{"id":"1"}');
    });
    const client = shop.createShopClient({ baseUrl: server.url, retry: { delay: 1 } });
    expect(await client.createOrder()).toMatchObject({ status: 201 });
    const [first, second] = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).toBe(first);
    const once = shop.createShopClient({ baseUrl: server.url, retry: false });
    await expect(once.createOrder()).rejects.toMatchObject({ status: 503 });
  });

  it('.safe returns a failure instead of throwing it', async () => {
    await using server = await startEchoServer((request, response) => {
      const status = Number(request.url.split('/').pop());
      if (status === 0) response.destroy();
      else response.writeHead(status, { 'content-type': 'application/json' }).end('{"missing":"it"}');
    });
    const client = shop.createShopClient({ baseUrl: server.url, retry: false });
    const get = (status: number): Promise<Record<string, unknown>> =>
      client.getOrder.safe({ path: { id: String(status) } });
    expect(await get(200)).toMatchObject({ status: 200, data: { missing: 'it' } });
    const missing = await get(404);
    expect(missing).toMatchObject({ status: 404, data: undefined, error: { missing: 'it' } });
    expect(missing['response']).toBeInstanceOf(Response);
    expect(missing['headers']).toMatchObject({ 'content-type': 'application/json' });
    expect(await get(0)).toMatchObject({ status: undefined, response: undefined, error: { name: 'NetworkError' } });
    await expect(client.getOrder.safe({ path: { id: '..' } })).rejects.toThrow(TypeError);
    await expect(client.getOrder.safe({ path: { id: '200' } }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('calls of a client get tokens from the token endpoint, and new ones if the API refuses them', async () => {
    let issued = 0;
    await using server = await startEchoServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/token')
        response.end(JSON.stringify({ access_token: `t${(issued += 1)}`, expires_in: 3600 }));
      else if (request.headers.authorization === 'Bearer t1' && server.received.length > 4)
        response.writeHead(401).end('{}');
      else response.end('{"id":"1"}');
    });
    const login = shop.oauth2({ tokenUrl: `${server.url}/token`, clientId: 'me', clientSecret: 's', scope: 'read' });
    const client = shop.createShopClient({ baseUrl: server.url, credentials: { login } });
    await Promise.all([1, 2].map(() => client.getOrder({ path: { id: '1' } })));
    await client.getOrder({ path: { id: '1' } });
    expect(issued).toBe(1);
    await Promise.all([1, 2, 3].map(() => client.getOrder({ path: { id: '1' } })));
    expect(issued).toBe(2);
    expect(server.last().headers.authorization).toBe('Bearer t2');
  });
});
