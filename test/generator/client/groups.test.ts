import { readFileSync } from 'node:fs';
import path from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { generate, type GenerateResult } from '../../../generator/generate.js';
import type { ApiConfig } from '../../../config/config-types.js';
import type { Emitter } from '../../../generator/emitter.js';
import { startEchoServer } from '../../support/echo-server.js';
import { documentWith } from '../../support/load-document.js';
import { OutputFolder } from '../../support/output-folder.js';

const OK = { 200: { description: 'Fine.', content: { 'application/json': { schema: { type: 'object' } } } } };
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const operation = (operationId: string, ...tags: string[]): object => ({ operationId, tags, responses: OK });
const one = (operationId: string, ...tags: string[]): object => ({
  ...operation(operationId, ...tags),
  parameters: [ID],
});

const SHOP = documentWith({
  '/api/v1/cases': { get: operation('listCases', 'Cases'), post: operation('createCase', 'Cases') },
  '/api/v1/cases/{id}': { get: one('getCase', 'Cases'), delete: one('deleteCase', 'Cases') },
  '/api/v1/parties': { get: operation('listParties', 'Parties', 'Cases') },
  '/api/v1/health': { get: operation('getHealth') },
});

let output: OutputFolder | undefined;
afterEach(() => {
  output?.[Symbol.dispose]();
  output = undefined;
});

type Call = (request?: object) => Promise<{ readonly status: number }>;
type Client = Record<string, Record<string, Call & { readonly safe: Call }>>;

async function generateShop(
  options: Partial<ApiConfig<Emitter>>,
  document: object = SHOP,
): Promise<{ readonly result: GenerateResult; readonly folder: OutputFolder }> {
  const folder = (output = new OutputFolder());
  folder.write('openapi.json', JSON.stringify(document));
  const shop = { spec: 'openapi.json', output: 'shop', only: ['types', 'client'], ...options };
  return { result: await generate({ cwd: folder.folder, config: { apis: { shop } } }), folder };
}

function createClient(exports: Record<string, unknown>, baseUrl: string): Client {
  return (exports['createShopClient'] as (options: object) => Client)({ baseUrl });
}

describe('groups', () => {
  it('methods in the group of a tag omit the words of the tag, and an operation without a tag has no group', async () => {
    const { folder, result } = await generateShop({ group: 'tags' });
    expect(result.apis[0]).toMatchObject({ status: 'written', diagnostics: [] });
    folder.write(
      'use.ts',
      `import { cases, createShopClient } from './shop/index.js';
export async function use(): Promise<void> {
  const client = createShopClient({ baseUrl: 'https://a.test' });
  await client.cases.delete({ path: { id: '1' } });
  const result = await client.cases.get.safe({ path: { id: '1' } });
  if (result.status === 200) console.log(result.data);
  await client.parties.list();
  await client.getHealth.safe();
  await cases.create({ baseUrl: 'https://a.test' });
  // @ts-expect-error it is in a group
  await client.createCase();
}
`,
    );
    expect(folder.typeCheck()).toBe('');
    await using server = await startEchoServer();
    const client = createClient(await folder.run('shop/index.ts'), server.url);
    expect(Object.keys(client)).toEqual(['getHealth', 'cases', 'parties']);
    expect(Object.keys(client['cases'] ?? {})).toEqual(['create', 'delete', 'get', 'list']);
    await client['cases']?.['delete']?.({ path: { id: '1' } });
    expect(await client['cases']?.['create']?.safe()).toMatchObject({ status: 200 });
    expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /api/v1/cases/1',
      'POST /api/v1/cases',
    ]);
  });

  it('groups by path are named after the first segment that differs', async () => {
    const { folder } = await generateShop({ group: 'paths' });
    const client = createClient(await folder.run('shop/index.ts'), 'https://a.test');
    expect(Object.keys(client)).toEqual(['cases', 'parties', 'health']);
    expect(Object.keys(client['health'] ?? {})).toEqual(['get']);
  });

  it('a bundle contains only the functions of a group that are used', async () => {
    const { folder } = await generateShop({ group: 'tags' });
    folder.write(
      'app.ts',
      "import * as cases from './shop/groups/cases.js';\nawait cases.list({ baseUrl: 'https://a.b' });\n",
    );
    const code = await folder.bundle('app.ts');
    expect(code).toContain('listCases');
    expect(code).not.toMatch(/createCase|getHealth|listParties/);
  });

  it('a method omits each word of its group only once, so that a case of a case has its own name', async () => {
    const paths = {
      '/a': { get: operation('getCases', 'cases'), put: operation('getCasesCase', 'cases') },
      '/b': { get: operation('cases', 'cases') },
    };
    const { result, folder } = await generateShop({ group: 'tags' }, documentWith(paths));
    expect(result.apis[0]?.diagnostics.map(({ message }) => message)).toEqual([
      'The group "cases" is called cases2: the name without a number is taken.',
    ]);
    const client = createClient(await folder.run('shop/index.ts'), 'https://a.test');
    expect(Object.keys(client['cases2'] ?? {})).toEqual(['cases', 'get', 'getCase']);
  });

  it('names that clash in groups are numbered, with a diagnostic', async () => {
    const paths = {
      '/a': { get: operation('getCase', 'cases'), put: operation('getCases', 'cases') },
      '/b': { get: operation('cases', 'other') },
    };
    const { result, folder } = await generateShop({ group: 'tags' }, documentWith(paths));
    expect(result.apis[0]?.diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
      ['name-taken', 'warning', 'The group "cases" is called cases2: the name without a number is taken.'],
      ['name-taken', 'warning', 'getCases in the group "cases" is called get2: the name without a number is taken.'],
    ]);
    expect(folder.typeCheck()).toBe('');
    expect(readFileSync(path.join(folder.folder, 'shop/groups/cases.ts'), 'utf8')).toContain(
      "export { getCase as get, getCases as get2 } from '../operations.js';",
    );
  });
});

describe('names', () => {
  it('the configuration names operations, and its names become identifiers', async () => {
    const names = ({ method, path: template }: { method: string; path: string }): string | undefined =>
      template.endsWith('/health')
        ? undefined
        : `${method} ${template.split('/')[3]}${template.includes('{') ? ' one' : ''}`;
    const { folder, result } = await generateShop({ names });
    expect(result.apis[0]?.diagnostics).toEqual([]);
    const { createShopClient, ...functions } = await folder.run<Record<string, unknown>>('shop/index.ts');
    expect(createShopClient).toBeTypeOf('function');
    expect(Object.keys(functions)).toEqual(
      expect.arrayContaining(['getCases', 'postCases', 'getCasesOne', 'deleteCasesOne', 'getParties', 'getHealth']),
    );
    expect(folder.typeCheck()).toBe('');
  });

  it('duplicate names of the configuration are numbered, with a diagnostic', async () => {
    const { result } = await generateShop({ names: () => 'call' });
    expect(result.apis[0]?.diagnostics[0]).toMatchObject({
      code: 'name-taken',
      message: expect.stringContaining('call2') as string,
    });
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['returns no text', () => 3 as unknown as string],
  ])('generation fails with a plain sentence if the function for names %s', async (_kind, names) => {
    const { result } = await generateShop({ names });
    expect(result.apis[0]).toMatchObject({ status: 'failed' });
    expect(String(result.apis[0]?.error)).toContain('The function names of the configuration');
  });

  it('the output is regenerated if the function for names changes', async () => {
    const { folder } = await generateShop({ names: ({ name }) => `a ${name}` });
    const shop = { spec: 'openapi.json', output: 'shop', only: ['types', 'client'] };
    const rerun = async (names: (operation: { readonly name: string }) => string): Promise<unknown> =>
      (await generate({ cwd: folder.folder, config: { apis: { shop: { ...shop, names } } } })).apis[0]?.status;
    expect(await rerun(({ name }) => `a ${name}`)).toBe('unchanged');
    expect(await rerun(({ name }) => `b ${name}`)).toBe('written');
  });
});
