import { describe, expect, it } from 'vitest';

import { loadApi } from '../../model/load-api.js';
import { parseVendor, renameText } from '../../model/rename-vendor.js';
import { loadFiles } from '../support/spec-folder.js';
import { specPath } from '../specs/support/load-spec.js';

describe('names', () => {
  it.each([
    ['acme', { name: 'acme', header: 'acme', media: 'acme' }],
    ['Acme, header=AC', { name: 'acme', header: 'ac', media: 'acme' }],
    ['acme,engine=dab,media=acm,header=a1', { name: 'acme', header: 'a1', media: 'acm', engine: 'dab' }],
    ['my-co', { name: 'my-co', header: 'my-co', media: 'my-co' }],
  ])('the name %s is split into words', (text, names) => {
    expect(parseVendor(text)).toEqual(names);
  });

  it.each([
    '',
    '1st',
    'a b',
    'a_b',
    'a/b',
    '-a',
    'a--b',
    'acme,header=',
    'acme,headr=x',
    'acme,x',
    'acme,header=a,header=b',
    'acme,engine=../x',
  ])('the name %j is refused', (text) => {
    expect(() => parseVendor(text)).toThrow(/^The vendor/);
  });
});

describe('the word in each case style', () => {
  it.each([
    ['vendorSearch', 'acmeSearch', 'myCoSearch'],
    ['VendorSearchRetrieval', 'AcmeSearchRetrieval', 'MyCoSearchRetrieval'],
    ['VENDOR_SEARCH_WEB', 'ACME_SEARCH_WEB', 'MY_CO_SEARCH_WEB'],
    ['vendor-app-insights', 'acme-app-insights', 'my-co-app-insights'],
    ['X-Vendor-Upload-Url', 'X-Ac-Upload-Url', 'X-A-B-Upload-Url'],
    ['/x-vendor-api-version', '/x-ac-api-version', '/x-a-b-api-version'],
    ['X-VENDOR-API-ROLE', 'X-AC-API-ROLE', 'X-A-B-API-ROLE'],
    ['application/vnd.vendor+json', 'application/vnd.me+json', 'application/vnd.m-e+json'],
    ['application/vnd.vendor.v3+json', 'application/vnd.me.v3+json', 'application/vnd.m-e.v3+json'],
    ['/ws/vendor.ai.v1.Service', '/ws/acme.ai.v1.Service', '/ws/my-co.ai.v1.Service'],
    [
      'type.vendorapis.com/vendor.rpc.ErrorInfo',
      'type.acmeapis.com/acme.rpc.ErrorInfo',
      'type.my-coapis.com/my-co.rpc.ErrorInfo',
    ],
    ['Vendor', 'Acme', 'MyCo'],
    ['#/components/schemas/VendorMaps', '#/components/schemas/AcmeMaps', '#/components/schemas/MyCoMaps'],
    ['engine-identifier', 'dab-identifier', 'd-b-identifier'],
    ['engineLogs', 'dabLogs', 'dBLogs'],
    ['/logs/engine-log.txt', '/logs/dab-log.txt', '/logs/d-b-log.txt'],
    ['Engine.Core', 'Dab.Core', 'DB.Core'],
    ['vendor-openai', 'vendor-openai', 'vendor-openai'],
    ['openai', 'openai', 'openai'],
    ['enterprise-directory', 'enterprise-directory', 'enterprise-directory'],
    ['vendors', 'vendors', 'vendors'],
    ['engines', 'engines', 'engines'],
    ['subvendor', 'subvendor', 'subvendor'],
    ['searchengine', 'searchengine', 'searchengine'],
  ])('the word is replaced in each case style: %s', (text, short, long) => {
    expect(renameText(text, parseVendor('acme,header=ac,media=me,engine=dab'))).toBe(short);
    expect(renameText(text, parseVendor('my-co,header=a-b,media=m-e,engine=d-b'))).toBe(long);
  });

  it('the word engine is kept if no name replaces it', () => {
    expect(renameText('engineLogs of vendor', parseVendor('acme'))).toBe('engineLogs of acme');
  });
});

describe('documents', () => {
  const files = {
    'openapi.json': {
      openapi: '3.1.0',
      info: { title: 'The vendor', version: '1', description: 'Of the vendor.' },
      paths: {
        '/vendor/x': {
          get: {
            operationId: 'getVendorThing',
            description: 'vendorSearch',
            parameters: [{ name: 'X-Vendor-Key', in: 'header', schema: { type: 'string' } }],
            responses: {
              200: {
                description: 'ok',
                content: { 'application/vnd.vendor+json': { schema: { $ref: 'vendor.json#/$defs/VendorThing' } } },
              },
            },
          },
        },
      },
    },
    'vendor.json': {
      $defs: {
        VendorThing: {
          properties: { vendorName: { enum: ['VENDOR_A'] }, description: { const: 'vendor' } },
          examples: [{ vendorName: 'VENDOR_A' }],
        },
      },
    },
  };

  it('documents are renamed everywhere except in prose and the names of files', async () => {
    const api = await loadFiles(files, { vendor: 'acme,header=ac,media=me' });
    const [operation] = api.operations;
    expect(api.diagnostics).toEqual([]);
    expect([api.title, api.description, operation?.description]).toEqual([
      'The vendor',
      'Of the vendor.',
      'vendorSearch',
    ]);
    expect([operation?.path, operation?.id, operation?.parameters[0]?.name]).toEqual([
      '/acme/x',
      'getAcmeThing',
      'X-Ac-Key',
    ]);
    expect(operation?.responses[0]?.content[0]?.mediaType).toBe('application/vnd.me+json');
    expect(api.schemas.get('AcmeThing')?.schema).toMatchObject({
      properties: { acmeName: { enum: ['ACME_A'] }, description: { const: 'acme' } },
      examples: [{ acmeName: 'ACME_A' }],
    });
  });

  it('an invalid vendor is refused', async () => {
    await expect(loadFiles(files, { vendor: 'a b' })).rejects.toThrow(/vendor's name/);
  });

  it.each(['generation', 'engine', 'notifications'])(
    '%s has no placeholder name left outside of prose',
    async (name) => {
      const beside = name === 'engine' ? [specPath(name, 'config.schema.json')] : [];
      const api = await loadApi([specPath(name, 'openapi.yaml'), ...beside], { vendor: 'acme,engine=dab' });
      expect(api.diagnostics).toEqual([]);
      const prose = new Set(['description', 'summary', 'title', 'text', 'x-assumption', 'file', 'source']);
      const text = JSON.stringify(
        [...api.schemas.values(), api.operations, [...api.securitySchemes.values()]],
        (key, value: unknown) =>
          prose.has(key) && typeof value !== 'object' ? undefined : key === 'source' ? undefined : value,
      );
      expect(text.match(/[^"]*vendor(?!-openai)[^"]*/gi) ?? []).toEqual([]);
    },
  );
});

describe('whole words', () => {
  const load = (vendor: string): Promise<unknown> => loadApi(specPath('engine/openapi.yaml'), { vendor });

  it('a word that the spec does not have is refused with a suggestion', async () => {
    await expect(
      loadApi([specPath('engine/openapi.yaml'), 'specs/engine/config.schema.json'], {
        vendor: 'acme,enterprise-idd=Own',
      }),
    ).rejects.toThrow('The vendor\'s word "enterprise-idd" is not in the spec. Did you mean enterprise-id?');
    await expect(load('acme,zzzzzzzzzz=Own')).rejects.toThrow('The vendor\'s word "zzzzzzzzzz" is not in the spec.');
  });

  it('a word of the spec gets its real name', async () => {
    const named = await loadApi([specPath('engine/openapi.yaml'), 'specs/engine/config.schema.json'], {
      vendor: 'acme,docdb_nosql=cosmos',
    });
    const schemas = JSON.stringify([...named.schemas.values()].map(({ schema }) => schema));
    expect([schemas.includes('"cosmos"'), schemas.includes('"docdb_nosql"')]).toEqual([true, false]);
  });
});
