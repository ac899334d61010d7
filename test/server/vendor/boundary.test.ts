import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { createWholeBody } from '../../../http/wire/request-body.js';
import type { HeaderMap, MockRequest } from '../../../http/messages.js';
import { toRealAnswer } from '../../../server/vendor/real-answer.js';
import { SeedRequest } from '../../../server/vendor/seed-request.js';
import { createTranslation, type Translation } from '../../../server/vendor/translation.js';
import { loadApi } from '../../../model/load-api.js';
import { parseVendor } from '../../../model/brand/parse-vendor.js';
import { tempFolder } from '../../support/temp-folder.js';

const SPEC = `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
x-member-names: { accept: [camelCase, snake_case] }
servers: [{ url: https://x.example/vendor/v1 }]
paths:
  /items/{id}/vendorParts/{part}:
    post:
      operationId: do
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: part, in: path, required: true, schema: { type: string } }
        - { name: vendorMode, in: query, schema: { type: string, enum: [vendor-fast, slow] } }
        - { name: X-Vendor-Mode, in: header, schema: { type: string, enum: [vendor-fast] } }
        - { name: vendorCookie, in: cookie, schema: { type: string } }
      requestBody:
        content: { application/vnd.vendor.item+json: { schema: { $ref: '#/components/schemas/Item' } } }
      responses: { '200': { description: Done. } }
components:
  schemas:
    Item:
      type: object
      properties:
        vendorLink: { type: string }
        acmeTaken: { type: string }
        vendorTaken: { type: string }
        engineMode: { type: string, const: engine-mode }
        labels: { type: object, x-member-names: verbatim, additionalProperties: { $ref: '#/components/schemas/Item' } }
        data: { type: object, x-member-names: verbatim }
`;

async function translate(vendor: string, spec = SPEC): Promise<Translation> {
  const folder = tempFolder({ 'spec.yaml': spec });
  const translation = createTranslation(await loadApi(`${folder}/spec.yaml`), parseVendor(vendor));
  if (translation === undefined) throw new Error('There are no words.');
  return translation;
}

const JSON_TYPE = 'application/json';
const HOST = 'mock.example:80';

function request(target: string, headers: HeaderMap, body: string | Uint8Array = ''): MockRequest {
  const signal = new AbortController().signal;
  const rest = { remoteAddress: '127.0.0.1', signal, ...createWholeBody(Buffer.from(body)) };
  return { method: 'POST', target, headers: { host: HOST, ...headers }, ...rest };
}

describe('what comes in', () => {
  it.each([
    [
      '/acme/v1/items/acme/acmeParts/vendor?acmeMode=acme-fast&q=acme-fast',
      '/vendor/v1/items/acme/vendorParts/vendor?vendorMode=vendor-fast&q=acme-fast',
    ],
    ['/vendor/v1/items/1/vendorParts/2?vendorMode=slow', '/vendor/v1/items/1/vendorParts/2?vendorMode=slow'],
    ['/acme/other?a=%20+%zz&acmeMode', '/acme/other?a=%20+%zz&vendorMode'],
  ])('target %s', async (sent, seed) => {
    const { inbound } = await translate('acme');
    expect(new SeedRequest(request(sent, {}), inbound).target).toBe(seed);
  });

  it('headers, media types and cookies', async () => {
    const { inbound } = await translate('acme,header=ac,media=am');
    const { headers } = new SeedRequest(
      request('/', {
        'x-ac-mode': 'acme-fast',
        accept: 'text/html, application/vnd.AM.item+json;q=0.5, application/vnd.am.other',
        cookie: 'a=1; acmeCookie=acmeCookie',
        'x-other': 'acme-fast',
      }),
      inbound,
    );
    expect(headers).toEqual({
      host: HOST,
      'x-vendor-mode': 'vendor-fast',
      accept: 'text/html, application/vnd.vendor.item+json;q=0.5, application/vnd.am.other',
      cookie: 'a=1; vendorCookie=acmeCookie',
      'x-other': 'acme-fast',
    });
  });

  it.each<[string, string, string, string, string]>([
    [
      'names in both spellings',
      'acme-co',
      JSON_TYPE,
      '{"acmeCoLink":"a","labels":{"acme_co_link":{"acme_co_link":"acmeCoLink"}}}',
      '{"vendorLink":"a","labels":{"acme_co_link":{"vendor_link":"acmeCoLink"}}}',
    ],
    ['names that the API has already', 'acme', JSON_TYPE, '{"acmeTaken":"a"}', '{"acmeTaken":"a"}'],
    [
      'two spellings side by side',
      'acme',
      JSON_TYPE,
      '{"acmeLink":"a","vendorLink":"b"}',
      '{"acmeLink":"a","vendorLink":"b"}',
    ],
    ['values under names of the user', 'acme,engine=mill', JSON_TYPE, '{"mine":"mill-mode"}', '{"mine":"mill-mode"}'],
    ['data', 'acme', JSON_TYPE, '{"data":{"acmeLink":"a"}}', '{"data":{"acmeLink":"a"}}'],
    ['escaped letters', 'acme', JSON_TYPE, String.raw`{"\u0061cmeLink":1}`, '{"vendorLink":1}'],
    [
      'the engine',
      'acme,engine=mill',
      JSON_TYPE,
      '{"millMode":"mill-mode","vendorLink":"mill-mode"}',
      '{"engineMode":"engine-mode","vendorLink":"mill-mode"}',
    ],
    ['no JSON', 'acme', JSON_TYPE, '{"acmeLink":', '{"acmeLink":'],
    ['without a word', 'acme', JSON_TYPE, '{ "big": 12345678901234567890 }', '{ "big": 12345678901234567890 }'],
    ['a form', 'acme', 'application/x-www-form-urlencoded', 'acmeLink=acmeLink&b=1', 'vendorLink=acmeLink&b=1'],
    ['a text', 'acme', 'text/plain', '{"acmeLink":"a"}', '{"acmeLink":"a"}'],
  ])('body: %s', async (_name, vendor, type, sent, seed) => {
    const { inbound } = await translate(vendor);
    const bytes = await new SeedRequest(request('/', { 'content-type': type }, sent), inbound).bytes();
    expect(Buffer.from(bytes).toString()).toBe(seed);
  });

  it('a body with a content encoding', async () => {
    const { inbound } = await translate('acme');
    const headers = { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' };
    const seed = new SeedRequest(request('/', headers, gzipSync('{"acmeLink":1}')), inbound);
    expect(Buffer.from(await seed.bytes()).toString()).toBe('{"vendorLink":1}');
    expect(seed.headers['content-encoding']).toBeUndefined();
  });
});

describe('what goes out', () => {
  it('URLs of the mock itself have real words, others stay', async () => {
    const { outbound } = await translate('acme');
    const path = '/vendor/v1/items/1/vendorParts/2?vendorMode=slow';
    const real = '/acme/v1/items/1/acmeParts/2?acmeMode=slow';
    const answer = toRealAnswer(
      {
        status: 200,
        headers: { location: path, link: `<http://${HOST}${path}>; rel="next", <http://else.example${path}>` },
        body: { kind: 'json', value: { next: `http://${HOST}${path}`, other: `http://else.example${path}`, path } },
      },
      outbound,
      HOST,
    );
    expect(answer).toMatchObject({
      headers: { location: real, link: `<http://${HOST}${real}>; rel="next", <http://else.example${path}>` },
      body: { value: { next: `http://${HOST}${real}`, other: `http://else.example${path}`, path } },
    });
  });

  it.each([
    [400, 'vendorLink and X-Vendor-Mode of a vendor', 'acmeLink and X-Acme-Mode of a vendor'],
    [200, 'vendorLink', 'vendorLink'],
  ])('a message with the status %i', async (status, message, real) => {
    const { outbound } = await translate('acme');
    const body = { kind: 'text', text: JSON.stringify({ message }) } as const;
    const answer = toRealAnswer({ status, headers: { 'content-type': JSON_TYPE }, body }, outbound, HOST);
    expect(answer.body).toEqual({ kind: 'text', text: JSON.stringify({ message: real }) });
  });

  it('bytes and streams are those that were stored', async () => {
    const { outbound } = await translate('acme');
    const body = { kind: 'bytes', bytes: Buffer.from('{"vendorLink":1}') } as const;
    const answer = toRealAnswer({ status: 200, headers: { 'content-type': JSON_TYPE }, body }, outbound, HOST);
    expect(answer.body).toBe(body);
  });
});

it('where no word is in a spec, nothing is translated', async () => {
  const folder = tempFolder({ 'spec.yaml': 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n' });
  expect(createTranslation(await loadApi(`${folder}/spec.yaml`), parseVendor('acme'))).toBeUndefined();
});
