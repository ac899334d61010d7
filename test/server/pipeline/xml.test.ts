import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { type Mock, startMock } from '../../../entry/mock.js';
import type { Api } from '../../../model/api.js';
import { readXmlText, writeXmlText } from '../../../runtime/xml.js';
import { xmlPlanOf } from '../../../schema/xml-plan.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { emitClient, type TestClient } from '../../support/emit-client.js';
import { OutputFolder } from '../../support/output-folder.js';
import { LINEAR, growthOf } from '../../support/growth.js';

const STRING = { type: 'string' };
const PERSON = {
  type: 'object',
  required: ['id', 'name', 'tags'],
  properties: {
    id: { type: 'integer', minimum: 1, xml: { attribute: true } },
    name: { type: 'string', minLength: 2, xml: { namespace: 'https://example.com/schema', prefix: 'sample' } },
    tags: { type: 'array', items: { type: 'string', xml: { name: 'tag' } }, xml: { wrapped: true } },
    friends: { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Friend' } },
    isKind: { type: 'boolean' },
  },
};
const FRIEND = { type: 'object', properties: { nick: STRING, friends: { type: 'array', maxItems: 0, items: {} } } };
const components = { schemas: { Person: PERSON, Friend: FRIEND } };
const REF = { $ref: '#/components/schemas/Person' };
const xml = (schema: object): object => ({ content: { 'application/xml': { schema } } });
const DOCUMENT = documentWith(
  {
    '/person': {
      get: { operationId: 'getPerson', responses: { 200: { description: 'ok', ...xml(REF) } } },
      post: {
        operationId: 'addPerson',
        requestBody: { required: true, ...xml(REF) },
        responses: {
          201: { description: 'made', ...xml(REF) },
          400: { description: 'bad', content: { 'application/problem+json': {} } },
        },
      },
    },
    '/both': {
      get: {
        operationId: 'getBoth',
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: REF }, 'application/xml': { schema: REF } },
          },
        },
      },
    },
  },
  { components },
);

async function planOf(schema: object): Promise<NonNullable<ReturnType<typeof xmlPlanOf>>> {
  const api = await loadDocument({
    ...documentWith(
      { '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok', ...xml(schema) } } } } },
      { components: { schemas: { ...components.schemas, Pet: { type: 'object', properties: { n: {} } } } } },
    ),
    openapi: '3.2.0',
  });
  const media = api.operations[0]?.responses[0]?.content[0];
  const plan = media === undefined ? undefined : xmlPlanOf(api, media);
  if (plan === undefined) throw new Error('The schema has no plan.');
  return plan;
}

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });

describe('XML by the XML Object', () => {
  it.each<[string, object, unknown, string]>([
    ['a component names its root', { $ref: '#/components/schemas/Pet' }, { n: 'x' }, '<Pet><n>x</n></Pet>'],
    [
      'names',
      object({ a: { ...STRING, xml: { name: 'b' } } }, { xml: { name: 'top' } }),
      { a: 'x' },
      '<top><b>x</b></top>',
    ],
    [
      'an attribute',
      object({ id: { type: 'integer', xml: { attribute: true } }, a: STRING }),
      { id: 1, a: '<&>' },
      '<root id="1"><a>&lt;&amp;&gt;</a></root>',
    ],
    [
      'prefix and namespace',
      object({ a: { ...STRING, xml: { namespace: 'urn:x', prefix: 'p' } } }),
      { a: 'x' },
      '<root><p:a xmlns:p="urn:x">x</p:a></root>',
    ],
    ['a list', object({ pets: list(STRING) }), { pets: ['a', 'b'] }, '<root><pets>a</pets><pets>b</pets></root>'],
    [
      'items with a name',
      object({ pets: list({ ...STRING, xml: { name: 'pet' } }, { xml: { name: 'ignored' } }) }),
      { pets: ['a'] },
      '<root><pet>a</pet></root>',
    ],
    [
      'a wrapped list',
      object({ pets: list({ ...STRING, xml: { name: 'pet' } }, { xml: { wrapped: true, name: 'all' } }) }),
      { pets: ['a', 'b'] },
      '<root><all><pet>a</pet><pet>b</pet></all></root>',
    ],
    [
      'a wrapped list without names',
      object({ pets: list(STRING, { xml: { wrapped: true } }) }),
      { pets: ['a'] },
      '<root><pets><pets>a</pets></pets></root>',
    ],
    [
      'nodeType text and attribute',
      object({ lang: { ...STRING, xml: { nodeType: 'attribute' } }, text: { ...STRING, xml: { nodeType: 'text' } } }),
      { lang: 'en', text: 'hi' },
      '<root lang="en">hi</root>',
    ],
    [
      'nodeType cdata',
      object({ code: { ...STRING, xml: { nodeType: 'cdata' } } }),
      { code: 'a]]>b' },
      '<root><![CDATA[a]]]]><![CDATA[>b]]></root>',
    ],
    [
      'nodeType none',
      object({ inner: { ...object({ a: STRING }), xml: { nodeType: 'none' } } }),
      { inner: { a: 'x' } },
      '<root><a>x</a></root>',
    ],
    [
      'null',
      object({ a: { type: ['string', 'null'] } }),
      { a: null },
      '<root><a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></root>',
    ],
    [
      'numbers and booleans',
      object({ n: { type: 'number' }, b: { type: 'boolean' } }),
      { n: 1.5, b: false },
      '<root><n>1.5</n><b>false</b></root>',
    ],
    [
      'members that are not described',
      object({ a: STRING }, { additionalProperties: { type: 'integer' } }),
      { a: 'x', z: 3 },
      '<root><a>x</a><z>3</z></root>',
    ],
  ])('XML by the XML Object is written and read: %s', async (_name, schema, value, text) => {
    const plan = await planOf(schema);
    expect(writeXmlText(value, plan)).toBe(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
    expect(readXmlText(text, plan)).toEqual(value);
  });

  it.each([
    '<!DOCTYPE root [<!ENTITY a "b">]><root/>',
    '<root>&a;</root>',
    '<root><a></root>',
    '<root a="1" a="2"/>',
    '<root/><root/>',
    '<root',
    '',
    '{"a":1}',
    `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`,
  ])('XML by the XML Object refuses %j', async (text) => {
    const plan = await planOf(object({ a: STRING }));
    expect(() => readXmlText(text, plan)).toThrow('must');
  });

  it('XML by the XML Object is read by its namespaces, however they are declared', async () => {
    const named = (namespace: string): object => ({ ...STRING, xml: { name: 'title', prefix: 'x', namespace } });
    const plan = await planOf(
      object(
        { a: named('urn:a'), b: named('urn:b'), list: list({ ...STRING, xml: { name: 'n', namespace: 'urn:n' } }) },
        { xml: { name: 'root', namespace: 'urn:root' } },
      ),
    );
    const written = { a: '1', b: '2', list: ['3'] };
    expect(readXmlText(writeXmlText(written, plan), plan)).toEqual(written);
    expect(readXmlText('<root xmlns:q="urn:b" xmlns="urn:root"><q:title>2</q:title></root>', plan)).toEqual({ b: '2' });
    expect(readXmlText('<r:root xmlns:r="urn:root"><title>1</title></r:root>', plan)).toMatchObject({ a: '1' });
    for (const [text, place] of [
      ['<root xmlns="urn:other"/>', 'root in the namespace urn:root'],
      ['<root><title xmlns="urn:c">1</title></root>', 'title in the namespace urn:a'],
      ['<root><n xmlns="urn:c">1</n></root>', 'n in the namespace urn:n'],
    ])
      expect(() => readXmlText(text ?? '', plan)).toThrow(`must have the element ${place}`);
  });

  it('XML by the XML Object is read in linear time', async () => {
    const plan = await planOf(object({ a: STRING }));
    const read = (size: number): void => {
      for (const part of ['<a', '<!--', ' a=', '<![CDATA[', '&amp;'])
        expect(() => readXmlText(`<root>${part.repeat(size)}`, plan)).toThrow('must');
    };
    expect(await growthOf(read, 10_000)).toBeLessThan(LINEAR);
  });
});

const output = new OutputFolder();
let api: Api;
let mock: Mock;
let client: TestClient;

beforeAll(async () => {
  api = await loadDocument(DOCUMENT);
  mock = await startMock(api, { port: 0, seed: 1 });
  const createTestClient = await emitClient(api, output);
  client = createTestClient({ baseUrl: mock.url, validate: true });
});
afterAll(async () => {
  output[Symbol.dispose]();
  await mock.close();
});

const ANN = { id: 7, name: 'Ann & Bo', tags: ['<x>', ''], friends: [{ nick: 'c' }], isKind: true };

describe('an API that has only XML', () => {
  it('a client of an XML API takes and returns objects', async () => {
    expect(output.typeCheck()).toBe('');
    await client['addPerson']?.({ body: ANN });
    const [sent] = await mock.requests();
    expect(sent?.request.body).toEqual(ANN);
    expect((await client['getPerson']?.())?.data).toMatchObject({ id: expect.any(Number) as number });
  });

  it('the mock of an XML API writes XML and never JSON', async () => {
    for (const path of ['/person', '/both']) {
      const response = await fetch(`${mock.url}${path}`, { headers: { accept: 'application/xml' } });
      expect(response.headers.get('content-type')).toBe('application/xml');
      expect(await response.text()).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><Person id="\d+"><sample:name/);
    }
  });

  it('the mock of an XML API validates XML', async () => {
    const send = (body: string): Promise<Response> =>
      fetch(`${mock.url}/person`, { method: 'POST', body, headers: { 'content-type': 'application/xml' } });
    expect((await send('<Person id="0"><name>Ann</name><tags/></Person>')).status).toBe(400);
    expect((await send('<Persona/>')).status).toBe(400);
    const other = '<Person id="1"><name xmlns="https://example.com/other">Ann</name><tags/></Person>';
    expect((await send(other)).status).toBe(400);
    expect((await send('{"id":1}')).status).toBe(400);
    expect((await send('<Person id="1"><name>Ann</name><tags/></Person>')).status).toBe(201);
  });

  it('a contract run of an XML API sends and checks XML', async () => {
    const good = await runContract({ api, url: mock.url, fetch: mock.fetch, maxExamples: 4 });
    expect(good.findings.map(({ check, message }) => [check, message])).toEqual([]);
    const wrong: typeof fetch = async (input, init) =>
      init?.method === 'GET'
        ? new Response('<Person id="0"/>', { headers: { 'content-type': 'application/xml' } })
        : mock.fetch(input, init);
    const bad = await runContract({ api, url: mock.url, fetch: wrong, phases: ['examples'] });
    expect(bad.findings.map(({ check }) => check)).toContain('response schema');
  });
});
