import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import type { Api } from '../../../model/api.js';
import { loadApi } from '../../../model/load-api.js';
import { findBuiltInSpecs } from '../../../config/built-in-apis.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { EXTENSIONS_FILE } from '../../../schema/validate-extension.js';
import { listExtensions } from '../../../generator/helpers/extension-places.js';
import { type Helpers, readHelpers } from '../../../generator/helpers/read-helpers.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { SPEC_NAMES } from '../../specs/support/load-spec.js';

interface Property {
  readonly description?: string;
  readonly 'x-on'?: readonly string[];
  readonly examples?: readonly unknown[];
}

const described = (JSON.parse(readFileSync(EXTENSIONS_FILE, 'utf8')) as { properties: Record<string, Property> })
  .properties;

async function validateExtensions(): Promise<(value: object) => readonly unknown[]> {
  const api = await loadApi(EXTENSIONS_FILE);
  return compileValidator(api, { $ref: `#/$defs/${api.rootSchema}` }, { direction: 'request' });
}

describe('specs/extensions.schema.json', () => {
  it.each(Object.entries(described))('%s has a description, its places and valid examples', async (name, property) => {
    const validate = await validateExtensions();
    expect(property.description?.length).toBeGreaterThan(40);
    expect(property['x-on']?.length).toBeGreaterThan(0);
    expect(property.examples?.length).toBeGreaterThan(0);
    for (const example of property.examples ?? []) expect(validate({ [name]: example })).toEqual([]);
  });

  it.each(SPEC_NAMES)('describes every extension of %s, and each use is valid', async (name) => {
    const api = await loadApi(findBuiltInSpecs(name) ?? []);
    const names = listExtensions(api).map((place) => place.name);
    expect(names.filter((one) => !Object.hasOwn(described, one))).toEqual([]);
    // Those that are not noted while a document is read are not searched for.
    expect(api.extensionNames).toEqual(expect.arrayContaining(names));
    expect((await readHelpers(api, { apiName: name })).diagnostics).toEqual([]);
  });
});

it('reads the same limits from notifications and from the policy of rate-limits', async () => {
  const [own, policy] = await Promise.all(
    ['notifications', 'rate-limits'].map(async (name) =>
      readHelpers(await loadApi(findBuiltInSpecs(name) ?? []), { apiName: name }),
    ),
  );
  const codeOf = (helpers: Helpers | undefined): string | undefined =>
    helpers?.functions.find(({ name }) => name === helpers.limits)?.code;
  expect(codeOf(policy)).toMatch(/statuses: \[403, 429\],[^]*firstSeconds: 60,\s*factor: 2,\s*maxRetries: 5,/);
  expect(codeOf(own)).toBe(codeOf(policy));
});

const OK = {
  200: {
    description: 'ok',
    content: {
      'application/json': {
        schema: { type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } },
      },
    },
  },
};

function list(extensions: object, more: object = {}): Promise<Api> {
  const parameters = ['skip', 'take', 'token'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
  return loadDocument(
    documentWith({ '/list': { get: { operationId: 'list', parameters, responses: OK, ...extensions } } }, more),
  );
}

const UPLOAD = {
  name: 'up',
  upload: 'none',
  address: 'X',
  size: 'X',
  type: 'X',
  command: 'X',
  commands: { upload: 'u', finalize: 'f', query: 'q' },
  offset: 'X',
  status: 'X',
  final: 'f',
  received: 'X',
  file: '/f',
};

describe('an invalid extension is ignored and reported', () => {
  it.each<[string, object, string, string]>([
    ['of a wrong shape', { 'x-pagination': { style: 'offset' } }, '/x-pagination', 'is left out'],
    [
      'with an unknown member',
      { 'x-conditional-polling': { interval: 'X', intervall: 1 } },
      '/x-conditional-polling/intervall',
      'is left out',
    ],
    [
      'with an invalid pointer',
      { 'x-pagination': { style: 'token', token: 'token', next: 'next', items: '/items' } },
      '/x-pagination/next',
      'is left out',
    ],
    [
      'with an invalid header name',
      { 'x-conditional-polling': { interval: 'a\nb' } },
      '/x-conditional-polling/interval',
      'is left out',
    ],
    [
      'with a parameter that the operation has not',
      { 'x-pagination': { style: 'offset', skip: 'start', size: 'take', items: '/items' } },
      '/x-pagination/skip',
      'no query parameter "start"',
    ],
    [
      'with a parameter that is called like the style',
      { 'x-pagination': { style: 'page', page: 'page', items: '/items' } },
      '/x-pagination/page',
      'no query parameter "page"',
    ],
    [
      'with items that the response has not',
      { 'x-pagination': { style: 'offset', skip: 'skip', size: 'take', items: '/rows' } },
      '/x-pagination/items',
      'no response has a list at "/rows"',
    ],
    [
      'with a total that the response has not',
      { 'x-pagination': { style: 'page', page: 'take', items: '/items', total: '/count' } },
      '/x-pagination/total',
      'no response has a number at "/count"',
    ],
    [
      'with a header that the response has not',
      { 'x-conditional-polling': { interval: 'X-Poll' } },
      '/x-conditional-polling/interval',
      'no header "X-Poll"',
    ],
    [
      'with an operation that the API has not',
      { 'x-read-before-write': { read: 'get' } },
      '/x-read-before-write/read',
      'no operation "get"',
    ],
    [
      'about an upload to a path that does not exist',
      { 'x-resumable-upload': UPLOAD },
      '/x-resumable-upload/upload',
      'no operation "none"',
    ],
    ['about a response that is not a stream', { 'x-streaming': {} }, '/x-streaming', 'x-event-stream'],
    [
      'about a session without messages',
      { 'x-live-session': { setup: '/a', ready: '/b' } },
      '/x-live-session',
      'no x-websocket',
    ],
    [
      'about messages that do not exist',
      { 'x-live-session': { setup: '/a', ready: '/b' }, 'x-websocket': { client: '#/x', server: '#/y' } },
      '/x-live-session',
      'not part of the API',
    ],
    ['in a place where it is not allowed', { 'x-rate-limit': {} }, '/x-rate-limit', 'belongs on root'],
  ])('an invalid extension is ignored and reported: %s', async (_what, extensions, pointer, message) => {
    const helpers = await readHelpers(await list(extensions), { apiName: 'test' });
    expect(helpers.diagnostics).toMatchObject([
      { code: 'extension-invalid', severity: 'warning', pointer: `/paths/~1list/get${pointer}` },
    ]);
    expect(helpers.diagnostics[0]?.message).toContain(message);
    expect(helpers.functions).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['at the root', { 'x-rate-limit': { secondary: 'x' } }, '/x-rate-limit'],
    [
      'with a policy that does not exist',
      { 'x-rate-limit': { secondary: 'x', policy: { $ref: './none.json' } } },
      '/x-rate-limit/policy',
    ],
    [
      'on a member of a schema',
      {
        components: { schemas: { A: { properties: { at: { type: 'string', 'x-expires': { after: '24 hours' } } } } } },
      },
      '/components/schemas/A/properties/at/x-expires/after',
    ],
    [
      'deep in a schema',
      { components: { schemas: { A: { items: { anyOf: [{ enum: ['a'], 'x-enum-any-case': 'yes' }] } } } } },
      '/components/schemas/A/items/anyOf/0/x-enum-any-case',
    ],
  ])('an invalid extension is ignored and reported: %s', async (_where, more, pointer) => {
    const helpers = await readHelpers(await list({}, more), { apiName: 'test' });
    expect(helpers.diagnostics).toMatchObject([{ code: 'extension-invalid', pointer }]);
    expect([helpers.limits, helpers.functions]).toEqual([undefined, []]);
  });

  it('extensions of other vendors are ignored', async () => {
    const helpers = await readHelpers(await list({ 'x-codegen': 1, 'x-pagination-ish': {} }, { 'x-logo': {} }), {
      apiName: 'test',
    });
    expect(helpers.diagnostics).toEqual([]);
  });
});
