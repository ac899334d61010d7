import { gzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';

import { defineMock, type Mock, startMock } from '../../../entry/mock.js';
import { loadApi } from '../../../model/load-api.js';
import { tempFolder } from '../../support/temp-folder.js';

const SPEC = `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
x-member-names: { accept: [camelCase, snake_case] }
servers: [{ url: https://x.example/vendor/v1 }]
paths:
  /items/{id}/vendorParts/{part}:
    post:
      operationId: doVendor
      description: The vendor's vendorParts.
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: part, in: path, required: true, schema: { type: string } }
        - { name: vendorMode, in: query, schema: { type: string, enum: [vendor-fast, slow] } }
        - { name: X-Vendor-Mode, in: header, schema: { type: string, enum: [vendor-fast] } }
        - { name: vendorCookie, in: cookie, schema: { type: string } }
      requestBody:
        content:
          application/vnd.vendor.item+json: { schema: { $ref: '#/components/schemas/Item' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Item' } }
      responses:
        '200':
          description: Done.
          content: { application/json: { schema: { type: object } } }
components:
  schemas:
    Item:
      type: object
      properties:
        vendorLink: { type: string }
        engineMode: { type: string, const: engine-mode }
        labels: { type: object, x-member-names: verbatim, additionalProperties: { $ref: '#/components/schemas/Item' } }
        data: { type: object, x-member-names: verbatim }
`;

type Reading = 'before it was read' | 'after it was read';

type EchoMock = Pick<Mock, 'api' | 'fetch' | 'requests' | 'url'>;

/** A mock that responds with the input of its handler. */
async function startEcho(vendor: string, reading: Reading): Promise<EchoMock> {
  const file = `${tempFolder({ 'spec.yaml': SPEC })}/spec.yaml`;
  const api = await loadApi(file, reading === 'before it was read' ? { vendor } : {});
  const defined = defineMock(api, {
    operations: { doAcme: (call) => call.respond(200, { kind: 'json', value: call.input }) },
  });
  const mock = await startMock(defined, reading === 'before it was read' ? {} : { vendor });
  onTestFinished(() => mock.close());
  return mock;
}

const MEDIA = 'application/vnd.am.item+json';
const FORM = 'application/x-www-form-urlencoded';

async function send(mock: EchoMock, target: string, init: RequestInit): Promise<unknown> {
  const response = await mock.fetch(mock.url + target, { method: 'POST', ...init });
  return response.status === 200 ? await response.json() : response.status;
}

describe.each<Reading>(['before it was read', 'after it was read'])('an API that is renamed %s', (reading) => {
  it('a renamed API has the real names in paths, queries, headers and cookies, and keeps values of parameters', async () => {
    const mock = await startEcho('acme,header=ac,media=am', reading);
    const target = '/acme/v1/items/vendor/acmeParts/acme?acmeMode=acme-fast';
    const headers = { 'x-ac-mode': 'acme-fast', cookie: 'a=1; acmeCookie=vendorCookie' };
    expect(await send(mock, target, { headers })).toMatchObject({
      path: { id: 'vendor', part: 'acme' },
      query: { acmeMode: 'acme-fast' },
      headers: { 'X-Ac-Mode': 'acme-fast' },
      cookies: { acmeCookie: 'vendorCookie' },
    });
  });

  it.each([
    ['/vendor/v1/items/1/vendorParts/2', 404],
    ['/acme/v1/items/1/acmeParts/2?acmeMode=vendor-fast', 400],
  ])('a renamed API does not accept the placeholder name: %s', async (target, status) => {
    expect(await send(await startEcho('acme', reading), target, {})).toBe(status);
  });

  it.each([
    ['camelCase', '{"acmeCoLink":"a"}', { acmeCoLink: 'a' }],
    ['snake_case', '{"acme_co_link":"a"}', { acmeCoLink: 'a' }],
    [
      'names of the user',
      '{"labels":{"acme_co_link":{"acme_co_link":"acmeCoLink"}}}',
      { labels: { acme_co_link: { acmeCoLink: 'acmeCoLink' } } },
    ],
    [
      'data of the user',
      '{"data":{"vendorLink":"vendor","acme_co_link":1}}',
      { data: { vendorLink: 'vendor', acme_co_link: 1 } },
    ],
    ['values of the engine', '{"millMode":"mill-mode"}', { millMode: 'mill-mode' }],
    ['escaped letters', String.raw`{"\u0061cmeCoLink":"a"}`, { acmeCoLink: 'a' }],
  ])('a renamed API reads members of a body: %s', async (_name, body, read) => {
    const mock = await startEcho('acme-co,media=am,engine=mill', reading);
    const target = '/acme-co/v1/items/1/acmeCoParts/2';
    await mock.fetch(mock.url + target, { method: 'POST', headers: { 'content-type': MEDIA }, body });
    const [last] = (await mock.requests()).slice(-1);
    expect([last?.violations, last?.request.body]).toEqual([[], read]);
  });

  it('a renamed API reads a compressed body and a form by the real names', async () => {
    const mock = await startEcho('acme,media=am', reading);
    const target = '/acme/v1/items/1/acmeParts/2';
    const zipped = { 'content-type': MEDIA, 'content-encoding': 'gzip' };
    expect(await send(mock, target, { headers: zipped, body: gzipSync('{"acmeLink":"1"}') })).toMatchObject({
      body: { acmeLink: '1' },
    });
    const form = { 'content-type': FORM };
    expect(await send(mock, target, { headers: form, body: 'acmeLink=vendorLink' })).toMatchObject({
      body: { acmeLink: 'vendorLink' },
    });
  });

  it('a renamed API keeps the placeholder name in prose', async () => {
    const [operation] = (await startEcho('acme', reading)).api.operations;
    expect([operation?.id, operation?.description]).toEqual(['doAcme', "The vendor's vendorParts."]);
  });
});
