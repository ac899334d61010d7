import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { generate } from '../../entry/specmill.js';
import { hasPackages } from '../support/missing-packages.js';
import { writeTo } from '../support/temp-folder.js';

const MODULES = path.resolve('test/matrix/node_modules');
const folder = mkdtempSync(path.join(tmpdir(), 'specmill-msw-page-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync('docs/msw.md', 'utf8');
const [outputTest = '', worker = '', mockTest = ''] = [
  ...page.matchAll(/^```ts\n([^`]*(?:`[^`\n]+`[^`]*)*)^```$/gm),
].map(([, code]) => code);
const run = async (args: readonly string[], cwd: string): Promise<string> =>
  promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 1 << 24 }).then(
    ({ stdout }) => stdout,
    (error: unknown) => `${(error as { stdout: string }).stdout}\n${(error as { stderr: string }).stderr}`,
  );

/** What a user writes, in types: only documented statuses and bodies, and requests with their types. */
const TYPES = `
import type { HttpHandler } from 'msw';
import { type ShopResolver, createOrderHandler, getInvoiceHandler, getOrderHandler, listOrdersHandler, putInvoiceHandler, shopHandlers, watchOrdersHandler } from './generated/shop/msw.js';
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_equal: Equal<A, B>): void => {};
const one: HttpHandler = getOrderHandler({ id: '1', item: 'tea' }, { baseUrl: '/api', once: true, seed: 1, delay: 'real' });
const all: HttpHandler[] = shopHandlers({ overrides: { getOrder: { id: '1', item: 'tea' }, listOrders: () => undefined } });
export const resolver: ShopResolver<'getOrder'> = async ({ path, request, respond }) => {
  same<typeof path.id, string>(true);
  if (request.url === '') return new Response('teapot', { status: 418 });
  if (path.id === '1') return respond(404, { message: 'gone' }, { 'x-reason': 'gone' });
  // @ts-expect-error 401 is not documented.
  respond(401, { message: 'who?' });
  // @ts-expect-error The body of 404 is a problem.
  respond(404, { id: '1', item: 'tea' });
  // @ts-expect-error 200 has a body.
  respond(200);
  return respond.network();
};
export const handlers = [
  one,
  ...all,
  listOrdersHandler(({ query, respond }) => {
    same<typeof query.take, number | undefined>(true);
    return respond(200, []);
  }),
  createOrderHandler(({ body, headers, respond }) => respond(201, { id: headers['Idempotency-Key'] ?? '', item: body.item })),
  // @ts-expect-error 201 is the success, and its body is an order.
  createOrderHandler({ message: 'no' }),
  putInvoiceHandler(({ respond }) => respond(204)),
  // @ts-expect-error 204 has no body.
  putInvoiceHandler(({ respond }) => respond(204, { id: '1' })),
  getInvoiceHandler(({ respond }) => respond(200, new Uint8Array([1]))),
  watchOrdersHandler(({ respond }) => respond(200, [{ data: { id: '1' } }])),
  // @ts-expect-error An order has an item.
  getOrderHandler({ id: '1' }),
  // @ts-expect-error There is no such operation.
  ...shopHandlers({ overrides: { getOrders: [] } }),
];
`;

beforeAll(async () => {
  cpSync('test/docs/shop.yaml', path.join(folder, 'shop.yaml'));
  writeTo(folder, 'package.json', '{ "type": "module" }');
  for (const version of ['msw-2', 'msw']) {
    const modules = path.join(folder, version, 'node_modules');
    mkdirSync(modules, { recursive: true });
    for (const name of readdirSync('node_modules'))
      if (!name.startsWith('.')) symlinkSync(path.resolve('node_modules', name), path.join(modules, name));
    symlinkSync(path.resolve('.'), path.join(modules, 'specmill'));
    symlinkSync(path.join(MODULES, version), path.join(modules, 'msw'));
    symlinkSync(path.join(MODULES, 'jsdom'), path.join(modules, 'jsdom'));
    const shop = { spec: 'shop.yaml', output: path.join(version, 'generated/shop'), emitters: ['msw'] };
    const { apis } = await generate({ cwd: folder, config: { apis: { shop } } });
    const missing = apis[0]?.diagnostics.find(({ code }) => code === 'peer-missing');
    if (apis[0]?.status !== 'written' || missing !== undefined) throw apis[0]?.error ?? new Error(missing?.message);
    cpSync('test/docs/shop.yaml', path.join(folder, version, 'shop.yaml'));
    const code = { 'orders.test.ts': outputTest, 'worker.ts': worker, 'mock.test.ts': mockTest, 'types.ts': TYPES };
    // MSW 3 has another name for this option.
    const option = version === 'msw' ? 'onUnhandledFrame' : 'onUnhandledRequest';
    for (const [file, text] of Object.entries(code))
      writeTo(path.join(folder, version), file, text.replaceAll('onUnhandledRequest', option));
  }
}, 60_000);

/** The document of jsdom; the `jsdom` environment of Vitest is found only beside Vitest. */
const JSDOM = `
import { JSDOM } from 'jsdom';
const { window } = new JSDOM('', { url: 'http://localhost:3000/' });
Object.assign(globalThis, { window, document: window.document, location: window.location });
`;

const FLAGS = {
  ...{ target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'], module: 'esnext', moduleResolution: 'bundler' },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noUnusedLocals: true },
  ...{ noUnusedParameters: true, isolatedModules: true, verbatimModuleSyntax: true, skipLibCheck: true },
  ...{ noEmit: true, types: [], preserveSymlinks: true },
};

describe.runIf(hasPackages('test/matrix'))('the page about MSW', () => {
  it.each([
    ['msw-2', '5.9'],
    ['msw-2', '5.4'],
    ['msw', '7'],
  ])('its code and documented statuses compile with %s and TypeScript %s, and others do not', async (name, version) => {
    const files =
      version === '5.4' ? ['types.ts', 'worker.ts'] : ['types.ts', 'worker.ts', 'orders.test.ts', 'mock.test.ts'];
    writeTo(path.join(folder, name), 'tsconfig.json', JSON.stringify({ compilerOptions: FLAGS, files }));
    const tsc = path.join(MODULES, `typescript-${version}`, 'bin/tsc');
    expect(await run([tsc, '-p', '.'], path.join(folder, name))).toBe('');
  });

  it('its tests pass in Vitest with jsdom', async () => {
    const place = path.join(folder, 'msw-2');
    writeTo(place, 'jsdom.mjs', JSDOM);
    writeTo(
      place,
      'vitest.config.mjs',
      "export default { resolve: { preserveSymlinks: true }, test: { setupFiles: './jsdom.mjs', server: { deps: { inline: [/entry\\/msw\\.js/] } } } };",
    );
    const vitest = path.resolve('node_modules/vitest/vitest.mjs');
    const said = await run([vitest, 'run', '--root', place, '--maxWorkers=1'], place);
    expect(said).toContain('4 passed');
  });
});
