import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { clientEmitter } from '../../../generator/client/emit-client.js';
import { emitIndex } from '../../../generator/emit-index.js';
import { readHelpers } from '../../../generator/helpers/read-helpers.js';
import { typesEmitter } from '../../../generator/types/emit-types.js';
import type { Api } from '../../../model/api.js';
import { findBuiltInSpecs } from '../../../config/built-in-apis.js';
import { loadApi } from '../../../model/load-api.js';
import { startEchoServer } from '../../support/echo-server.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const output = new OutputFolder();
afterAll(() => output[Symbol.dispose]());

async function emit(name: string, api: Api): Promise<void> {
  const options = { apiName: name, emitters: new Set(['types', 'client']), report: () => undefined };
  const files = [...(await clientEmitter.emit(api, options)), ...(await typesEmitter.emit(api, options))];
  await output.writeFiles(
    [...files, emitIndex(new Set(files.map(({ path }) => path)), api, { apiName: name, groups: [] })],
    name,
  );
}

/** The functions beyond single operations, and all others (expiry, webhooks), of each API. */
const EXPECTED: Readonly<Record<string, { calls: string[]; others: string[]; limits?: string }>> = {
  signing: {
    calls: ['updatecaseWith', 'updatecasemetadataWith', 'findcasesItems', 'findtemplatesItems'],
    others: ['caseTemporaryIdExpiresAt', 'isCaseTemporaryIdExpired', 'parseWebhook'],
  },
  generation: {
    calls: [
      'streamGenerateContentEvents',
      'listModelsItems',
      'uploadFile',
      'listFilesItems',
      'listCachedContentsItems',
      'openLiveSession',
      'openConstrainedLiveSession',
    ],
    others: [
      'fileExpiresAt',
      'isFileExpired',
      'cachedContentExpiresAt',
      'isCachedContentExpired',
      'authTokenExpiresAt',
      'isAuthTokenExpired',
      'authTokenNewSessionExpiresAt',
      'isAuthTokenNewSessionExpired',
    ],
  },
  tables: {
    calls: ['listTablesItems', 'updateTableWith', 'setTableIamPolicyWith'],
    others: ['tableExpiresAt', 'isTableExpired'],
  },
  notifications: {
    calls: [
      'listNotificationsItems',
      'listNotificationsChanges',
      'getThreadChanges',
      'getThreadSubscriptionChanges',
      'listRepositoryNotificationsItems',
      'listRepositoryNotificationsChanges',
    ],
    others: [],
    limits: 'waitAtLimits',
  },
  'rate-limits': { calls: [], others: [], limits: 'waitAtLimits' },
  dictionary: { calls: [], others: [] },
  engine: { calls: ['listRowsItems'], others: [] },
};

describe('the helpers of the built-in specs', () => {
  beforeAll(async () => {
    for (const name of Object.keys(EXPECTED)) await emit(name, await loadApi(findBuiltInSpecs(name) ?? []));
  });

  it.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
    const api = await loadApi(findBuiltInSpecs(name) ?? []);
    const { methods, functions, limits } = await readHelpers(api, { apiName: name });
    expect(methods.map((one) => one.name)).toEqual(expected.calls);
    expect(limits).toBe(expected.limits);
    expect(functions.map((one) => one.name)).toEqual([...expected.calls, ...[limits ?? []].flat(), ...expected.others]);
  });

  it('the helpers of the built-in specs type-check, and so do calls of them', () => {
    output.write('use.ts', USE);
    expect(output.typeCheck()).toBe('');
  });
});

const USE = `
import { createSigningClient, caseTemporaryIdExpiresAt, isCaseTemporaryIdExpired, PagingError } from './signing/index.js';
import { createGenerationClient, isFileExpired, UploadError } from './generation/index.js';
import { createTablesClient } from './tables/index.js';
import { createNotificationsClient, waitAtLimits } from './notifications/index.js';

export async function use(baseUrl: string): Promise<void> {
  const signing = createSigningClient({ baseUrl });
  for await (const item of signing.findcasesItems({ query: { Status: 'sent' } }, { pageSize: 50 })) {
    const name: string | undefined = item.Name;
    const at: Date | undefined = caseTemporaryIdExpiresAt(item);
    console.log(name, at, isCaseTemporaryIdExpired(item, Date.now()), PagingError.name);
  }
  const { status } = await signing.updatecaseWith({ query: { id: 'x' } }, (draft) => {
    draft.Name = 'new';
    // @ts-expect-error what only the service sets cannot be changed
    draft.Status = 'Sent';
  });
  const ok: 200 = status;
  const generation = createGenerationClient({ baseUrl, credentials: { apiKeyQuery: 'k' } });
  for await (const message of generation.streamGenerateContentEvents({ path: { model: 'm' }, body: { contents: [] } })) {
    const text: string | undefined = message.candidates?.[0]?.content?.parts?.[0]?.text;
    console.log(text);
  }
  const file = await generation.uploadFile(new Blob(['x']), { displayName: 'x', onProgress: ({ sent }) => console.log(sent) });
  console.log(file.uri, isFileExpired(file), UploadError.name);
  const session = await generation.openLiveSession({ model: 'models/m' }, { timeout: 1000 });
  session.send({ clientContent: { turnComplete: true } });
  for await (const message of session) if (message.serverContent?.turnComplete === true) break;
  const next = await session.resume();
  next.close();
  const tables = createTablesClient({ baseUrl });
  await tables.updateTableWith({ path: { projectId: 'p', datasetId: 'd', tableId: 't' } }, (table) => ({ ...table, friendlyName: 'x' }));
  const notifications = createNotificationsClient({ baseUrl, retry: { maxRetries: 2, writes: true } });
  for await (const { data, headers } of notifications.listNotificationsChanges({ query: { all: true } })) {
    const title: string | undefined = data[0]?.subject.title;
    console.log(title, headers['x-poll-interval'], waitAtLimits({ baseUrl }), ok);
  }
}
`;

describe('emitted helpers', () => {
  it('helpers read one page at a time, and change a case without losing other members', async () => {
    await using server = await startEchoServer((request, response) => {
      const query = new URL(request.url, 'http://x').searchParams;
      const stored = { Id: 'x', Name: 'old', Status: 'Draft', Parties: [{ Id: 'p', Reviewed: true }] };
      const items = query.get('Skip') === '0' ? Array.from({ length: 100 }, () => stored) : [stored];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url.includes('findcases') ? items : stored));
    });
    const { createSigningClient } = await output.run<{ createSigningClient: (options: object) => SigningClient }>(
      'signing/client.ts',
    );
    const client = createSigningClient({ baseUrl: server.url });
    let count = 0;
    for await (const _item of client.findcasesItems()) count += 1;
    expect(count).toBe(101);
    await client.updatecaseWith({ query: { id: 'x' } }, (draft) => void (draft['Name'] = 'new'));
    expect(JSON.parse(String(server.last().body))).toEqual({ Id: 'x', Name: 'new', Parties: [{ Id: 'p' }] });
  });

  it.each<[string, object, object, string[]]>([
    ['UntilEmpty', { minimum: 1 }, {}, ['?pageSize=50', '?pageSize=50&page=2', '?pageSize=50&page=3']],
    ['FromDefault', { default: 0 }, { total: '/total' }, ['?pageSize=50', '?pageSize=50&page=1']],
    ['FromMinimum', { minimum: 0 }, { total: '/total' }, ['?pageSize=50', '?pageSize=50&page=1']],
  ])('pages without links are requested by their numbers: %s', async (name, page, total, queries) => {
    const body = {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'integer' } }, total: { type: 'integer' } },
    };
    const listOrders = {
      operationId: 'listOrders',
      'x-pagination': { style: 'page', page: 'page', size: 'pageSize', items: '/items', ...total },
      parameters: [
        { name: 'page', in: 'query', schema: { type: 'integer', ...page } },
        { name: 'pageSize', in: 'query', schema: { type: 'integer', maximum: 50 } },
      ],
      responses: { 200: { description: 'ok', content: { 'application/json': { schema: body } } } },
    };
    await emit(name, await loadDocument(documentWith({ '/orders': { get: listOrders } })));
    let number = 0;
    await using server = await startEchoServer((_request, response) => {
      const items = [[1, 2], [3]][number] ?? [];
      number += 1;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ items, total: 3 }));
    });
    const created = await output.run<Record<string, (options: object) => ShopClient>>(`${name}/client.ts`);
    const client = created[`create${name}Client`]?.({ baseUrl: server.url });
    const items: unknown[] = [];
    for await (const item of client?.listOrdersItems() ?? []) items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(server.received.map(({ url }) => url.replace('/orders', ''))).toEqual(queries);
  });

  it('the client waits at a limit if its option says so', async () => {
    let count = 0;
    await using server = await startEchoServer((_request, response) => {
      count += 1;
      response.setHeader('content-type', 'application/json');
      if (count === 1) response.writeHead(429, { 'retry-after': '30' }).end('{"message":"secondary rate limit"}');
      else response.end('[]');
    });
    const { createNotificationsClient } = await output.run<{
      createNotificationsClient: (options: object) => NotificationsClient;
    }>('notifications/client.ts');
    const sleeps: number[] = [];
    const sleep = async (milliseconds: number): Promise<void> => void sleeps.push(milliseconds);
    await expect(createNotificationsClient({ baseUrl: server.url }).listNotifications()).rejects.toMatchObject({
      status: 429,
    });
    count = 0;
    await createNotificationsClient({ baseUrl: server.url, retry: { sleep } }).listNotifications();
    expect([sleeps.length, Math.round((sleeps[0] ?? 0) / 1000)]).toEqual([1, 30]);
  });

  it('an API without helpers has none of their code', async () => {
    const text = await output.bundle('dictionary/client.ts');
    expect(text).not.toMatch(/PagingError|retry-after|WebSocket/);
  });
});

interface SigningClient {
  findcasesItems(): AsyncIterable<unknown>;
  updatecaseWith(request: object, change: (draft: Record<string, unknown>) => void): Promise<unknown>;
}

interface ShopClient {
  listOrdersItems(): AsyncIterable<unknown>;
}

interface NotificationsClient {
  listNotifications(): Promise<unknown>;
}

describe('names', () => {
  const HOSTILE = '*/ `${x}\'"</script>';

  it('names of operations, schemas and parameters never become code or clash with those of the runtime', async () => {
    const pages = (operationId: string, item: object): object => ({
      operationId,
      'x-pagination': { style: 'token', token: HOSTILE, next: '/__proto__', items: '/constructor' },
      parameters: [{ name: HOSTILE, in: 'query', schema: { type: 'string' } }],
      responses: {
        200: {
          description: 'ok',
          content: {
            'application/json': {
              schema: { type: 'object', properties: { constructor: { type: 'array', items: item } } },
            },
          },
        },
      },
    });
    const names = [
      'request',
      'options',
      'operations',
      'pageByToken',
      'context',
      `op ${HOSTILE}`,
      'pageOptions',
      'change',
    ];
    const schemas = Object.fromEntries(
      ['PageOptions', 'Types', 'CallOptions', 'PagingError', HOSTILE].map((name) => [
        name,
        { type: 'object', properties: { at: { type: 'string', 'x-expires': { what: HOSTILE } } } },
      ]),
    );
    const paths = Object.fromEntries(
      names.map((name, index) => [
        `/${index}`,
        { get: pages(name, { $ref: `#/components/schemas/${index % 2 === 0 ? 'PageOptions' : 'Types'}` }) },
      ]),
    );
    const api = await loadDocument(
      documentWith(
        { ...paths, '/items': { get: { operationId: 'requestItems', responses: {} } } },
        { components: { schemas } },
      ),
    );
    await emit('hostile', api);
    expect(output.typeCheck()).toBe('');
    const { methods } = await readHelpers(api, { apiName: 'hostile' });
    expect(methods).toHaveLength(names.length);
    expect(methods[0]?.name).toBe('requestItems2');
  });
});
