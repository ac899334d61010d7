import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

import { startMock } from '../../entry/mock.js';
import { runContract } from '../../entry/contract.js';
import { loadApi } from '../../entry/specmill.js';
import { isResourceCorrections } from '../../generated/options/validators.js';
import { packageRoot } from '../../model/package-info.js';
import { correctionFor } from '../../resources/corrections.js';
import { runCaptured } from '../support/run-captured.js';
import { shopSpec } from '../support/shop-spec.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

/** A correction that does not fit, the pointer below `resources`, and the sentence. */
const WRONG: readonly (readonly [what: string, corrections: object, pointer: string, message: string])[] = [
  [
    'an unknown path',
    { '/customer': { id: 'email' } },
    '/~1customer',
    'The API has no resource "/customer". Did you mean /customers?',
  ],
  [
    'the path of an item',
    { '/plans/{code}': false },
    '/~1plans~1{code}',
    'The API has no resource "/plans/{code}". Did you mean /plans?',
  ],
  [
    'an unknown folder',
    { document: { id: 'id' } },
    '/document',
    'The API has no resource "document". Did you mean documents?',
  ],
  [
    'an unknown operation',
    { '/customers': { operations: { read: 'findCustomr' } } },
    '/~1customers/operations/read',
    'The API has no operation "findCustomr". Did you mean findCustomer?',
  ],
  [
    'an unknown operation in a list',
    { '/customers': { operations: { list: ['listCustomers', 'listAll'] } } },
    '/~1customers/operations/list/1',
    'The API has no operation "listAll".',
  ],
  [
    'a role that does not fit',
    { '/customers': { operations: { delete: 'findCustomer' } } },
    '/~1customers/operations/delete',
    'The operation "findCustomer" cannot have the role delete: its method is GET.',
  ],
  [
    'a role that reads by writing',
    { '/customers': { operations: { read: 'updateCustomer' } } },
    '/~1customers/operations/read',
    'The operation "updateCustomer" cannot have the role read: its method is PATCH.',
  ],
  [
    'an unknown member',
    { '/customers': { id: 'externalid' } },
    '/~1customers/id',
    'The items of "/customers" have no member "externalid". Did you mean external_id?',
  ],
  [
    'a pointer that leads nowhere',
    { '/customers': { id: '/owner/logn' } },
    '/~1customers/id',
    'The items of "/customers" have no member "/owner/logn". Did you mean login?',
  ],
  [
    'a pointer that leads nowhere in the response of a creation',
    { '/customers': { idInResponse: '/custmer/external_id' } },
    '/~1customers/idInResponse',
    'No response of a creation has a value at "/custmer/external_id". Did you mean customer?',
  ],
  [
    'an unknown parameter of a page',
    { '/customers': { page: { cursor: 'starting_aftr' } } },
    '/~1customers/page/cursor',
    'No operation of "/customers" has the parameter "starting_aftr", in the query or in the body. Did you mean starting_after?',
  ],
  [
    'an unknown pointer of a page',
    { '/customers': { page: { cursor: 'starting_after', next: '/pages/nxt' } } },
    '/~1customers/page/next',
    'No response of "/customers" has a value at "/pages/nxt". Did you mean next?',
  ],
  [
    'an unknown path parameter',
    { '/customers': { parameters: { customer_id: '/external_id' } } },
    '/~1customers/parameters/customer_id',
    'No path of "/customers" has the parameter "customer_id".',
  ],
  [
    'an unknown parent',
    { '/customers': { parent: '/plan' } },
    '/~1customers/parent',
    'The API has no collection "/plan". Did you mean /plans?',
  ],
  [
    'an unknown collection of a reference',
    { '/customers': { references: { plan_code: '/plns' } } },
    '/~1customers/references/plan_code',
    'The API has no collection "/plns". Did you mean /plans?',
  ],
  [
    'an unknown member of a reference',
    { '/customers': { references: { plancode: '/plans' } } },
    '/~1customers/references/plancode',
    'The items of "/customers" have no member "plancode". Did you mean plan_code?',
  ],
  [
    'an unknown unique member',
    { '/customers': { unique: ['email', 'emial'] } },
    '/~1customers/unique/1',
    'The items of "/customers" have no member "emial". Did you mean email?',
  ],
];

describe('a correction that does not fit is an error at its place', () => {
  test.each(WRONG)('in the spec: %s', async (_what, corrections, pointer, message) => {
    const folder = tempFolder({ 'shop.yaml': stringify(shopSpec(corrections)) });
    const file = path.join(folder, 'shop.yaml');
    const place = { file, pointer: `/x-resources${pointer}`, line: expect.any(Number) };
    await expect(startMock(file)).rejects.toMatchObject({ name: 'InputError', message, place });
    await expect(loadApi(file)).rejects.toMatchObject({ name: 'InputError', message, place });
  });

  test.each(WRONG)('in the configuration: %s', async (_what, resources, pointer, message) => {
    const config = { apis: { shop: { spec: 'shop.json', output: 'out', resources } } };
    const folder = tempFolder({
      'shop.json': JSON.stringify(shopSpec()),
      'specmill.config.yaml': stringify(config),
    });
    const file = path.join(folder, 'specmill.config.yaml');
    const place = { file, pointer: `/apis/shop/resources${pointer}`, line: expect.any(Number) };
    await expect(startMock('shop', { cwd: folder })).rejects.toMatchObject({ message, place });
    const run = await runCaptured(folder, 'generate');
    expect([run.status, run.err]).toEqual([2, expect.stringContaining(message)]);
    expect(run.err).toMatch(/specmill\.config\.yaml:\d+:\d+/);
  });

  test('for contract runs and loadApi too', async () => {
    const [, resources = {}, pointer, message] = WRONG[0] ?? [];
    const folder = tempFolder({
      'shop.json': JSON.stringify(shopSpec(resources)),
      'good.json': JSON.stringify(shopSpec()),
    });
    const run = runContract({ spec: path.join(folder, 'shop.json'), url: 'http://127.0.0.1:9' });
    await expect(run).rejects.toMatchObject({ message, place: { pointer: `/x-resources${pointer}` } });
    await expect(
      loadApi(path.join(folder, 'good.json'), { resources: resources as Record<string, false> }),
    ).rejects.toMatchObject({ message, place: { pointer: `/resources${pointer}` } });
  });

  test('items that are free objects have any member', async () => {
    const free = { type: 'object', additionalProperties: true };
    const response = { '200': { description: 'Done.', content: { 'application/json': { schema: free } } } };
    const parameters = [{ name: 'key', in: 'path', required: true, schema: { type: 'string' } }];
    const spec = {
      ...shopSpec({ '/things': { id: 'key', unique: ['name'] } }),
      paths: {
        '/things': { post: { operationId: 'add', responses: response } },
        '/things/{key}': { get: { operationId: 'get', parameters, responses: response } },
      },
    };
    const folder = tempFolder({ 'free.json': JSON.stringify(spec) });
    await expect(loadApi(path.join(folder, 'free.json'))).resolves.toMatchObject({ diagnostics: [] });
  });
});

/** A correction of another shape, the pointer below `resources`, and parts of the sentences about spec and configuration. */
const MALFORMED: readonly (readonly [corrections: object, pointer: string, inSpec: string, inConfig: string])[] = [
  [{ '/customers': true }, '/~1customers', 'must be false', 'must be an object, or false if it is no resource'],
  [{ '/customers': { idd: 'email' } }, '/~1customers/idd', 'did you mean "id"?', 'no member idd. Did you mean id?'],
  [{ '/customers': { page: { crsor: 'a' } } }, '/~1customers/page/crsor', 'cursor', 'Did you mean cursor?'],
  [{ '/customers': { page: 1 } }, '/~1customers/page', 'must be', 'an object with the names of parameters, or false'],
  [{ '/customers': { idInResponse: 'id' } }, '/~1customers/idInResponse', 'pattern', 'must be a JSON pointer'],
  [
    { '/customers': { operations: { read: 1 } } },
    '/~1customers/operations/read',
    'must be a string or an array, not 1',
    'must be an operation id or a list of them',
  ],
];

describe('a correction of another shape', () => {
  test.each(MALFORMED)(
    'is left out with a diagnostic, if it is in the spec: %j',
    async (corrections, pointer, inSpec) => {
      const folder = tempFolder({ 'shop.json': JSON.stringify(shopSpec(corrections)) });
      const api = await loadApi(path.join(folder, 'shop.json'));
      expect(api.diagnostics).toMatchObject([
        {
          code: 'extension-invalid',
          pointer: `/x-resources${pointer}`,
          line: 1,
          message: expect.stringContaining(inSpec),
        },
      ]);
      expect(correctionFor('/customers', api)).toBeUndefined();
      const run = await runCaptured(folder, 'generate', '--spec', 'shop.json', '--out', 'out');
      expect([run.status, run.err.match(/extension-invalid/g)?.length]).toEqual([0, 1]);
    },
  );

  test.each(MALFORMED)('is an error of the configuration: %j', async (resources, pointer, _inSpec, inConfig) => {
    const config = { apis: { shop: { spec: 'shop.json', output: 'out', resources } } };
    const folder = tempFolder({ 'shop.json': JSON.stringify(shopSpec()), 'specmill.config.yaml': stringify(config) });
    const run = await runCaptured(folder, 'generate');
    expect([run.status, run.err]).toEqual([2, expect.stringContaining(inConfig)]);
    expect(run.err).toContain(`/apis/shop/resources${pointer}`);
  });
});

describe('corrections come from the spec, its overlays and the configuration', () => {
  const OVERLAY = {
    overlay: '1.0.0',
    info: { title: 'Corrections', version: '1' },
    actions: [{ target: '$', update: { 'x-resources': { '/customers': { id: 'external_id' } } } }],
  };

  test('an overlay adds them, and errors name its place', async () => {
    const wrong = JSON.stringify(OVERLAY, undefined, 1).replace('external_id', 'externalid');
    const folder = tempFolder({
      'shop.json': JSON.stringify(shopSpec()),
      'good.yaml': stringify(OVERLAY),
      'wrong.json': wrong,
    });
    const load = (overlay: string): ReturnType<typeof loadApi> =>
      loadApi(path.join(folder, 'shop.json'), { overlays: [path.join(folder, overlay)] });
    expect(correctionFor('/customers', await load('good.yaml'))).toEqual({ id: 'external_id' });
    await expect(load('wrong.json')).rejects.toMatchObject({
      place: {
        file: path.join(folder, 'wrong.json'),
        pointer: '/actions/0/update/x-resources/~1customers/id',
        line: 13,
      },
    });
  });

  test('one of the configuration stands in place of that of the spec for the same path', async () => {
    const spec = shopSpec({
      '/customers': { id: 'lago_id', unique: ['email'] },
      '/search': false,
      documents: { id: 'id' },
    });
    const folder = tempFolder({ 'shop.json': JSON.stringify(spec) });
    const api = await loadApi(path.join(folder, 'shop.json'), {
      resources: { '/customers': { id: 'external_id' }, '/documents': false },
    });
    expect(api.extensions['x-resources']).toEqual({
      '/customers': { id: 'external_id' },
      '/search': false,
      '/documents': false,
    });
  });

  test('generate runs again when those of the configuration change', async () => {
    const config = (id: string): string =>
      stringify({ apis: { shop: { spec: 'shop.json', output: 'out', resources: { '/customers': { id } } } } });
    const folder = tempFolder({
      'shop.json': JSON.stringify(shopSpec()),
      'specmill.config.yaml': config('external_id'),
    });
    expect((await runCaptured(folder, 'generate')).status).toBe(0);
    expect((await runCaptured(folder, 'generate', '--check')).status).toBe(0);
    writeTo(folder, 'specmill.config.yaml', config('lago_id'));
    expect((await runCaptured(folder, 'generate', '--check')).status).toBe(1);
  });
});

test('the examples of docs/resources.md have the form of corrections', () => {
  const page = readFileSync(path.join(packageRoot, 'docs/resources.md'), 'utf8');
  const examples = [...page.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = '']) => parse(text) as unknown);
  expect(examples.length).toBeGreaterThan(3);
  for (const example of examples)
    expect(isResourceCorrections((example as { resources: unknown }).resources)).toBe(true);
});
