import { expect, test } from 'vitest';

import { valueAtPath } from '../../../model/document/pointer.js';
import { startMock } from '../../../entry/mock.js';
import { loadDocument } from '../../support/load-document.js';

type Schema = Readonly<Record<string, unknown>>;

const TEXT: Schema = { type: 'string' };
const NUMBER: Schema = { type: 'integer', format: 'int64' };
const UUID: Schema = { type: 'string', format: 'uuid' };
const EITHER: Schema = { type: ['string', 'integer'] };

/** One way to name and show the id of an item. */
interface Shape {
  /** The path of the collection; default `/customers`. */
  readonly at?: string;
  readonly parameter: string;
  /** The schema of the path parameter; default a text. */
  readonly takes?: Schema;
  readonly describes?: Schema;
  /** The members of an item beside `tag`, which a client sends. */
  readonly members: Readonly<Record<string, Schema>>;
  /** Where the item shows its id. */
  readonly id: readonly string[];
  /** The member of responses that contains the item. */
  readonly envelope?: string;
  /** The schema of the response to the creation, and where it shows the id. */
  readonly created?: readonly [Schema, readonly string[]];
  readonly links?: Schema;
  readonly resources?: Schema;
}

const name = TEXT;
const SHAPES: Readonly<Record<string, Shape>> = {
  'id for id': { parameter: 'id', members: { id: TEXT, name }, id: ['id'] },
  'a number in the item, a text in the path': { parameter: 'id', members: { id: NUMBER, name }, id: ['id'] },
  'a text in the item, a number in the path': {
    parameter: 'id',
    takes: NUMBER,
    members: { id: { type: 'string', pattern: '^[1-9][0-9]*$' }, name },
    id: ['id'],
  },
  'noun and id for a number': { parameter: 'customerId', members: { id: NUMBER, name }, id: ['id'] },
  'snake case noun and id for a number': { parameter: 'customer_id', members: { name, id: NUMBER }, id: ['id'] },
  'kebab case': { parameter: 'customer-id', members: { name, id: NUMBER }, id: ['id'] },
  'pascal case': { parameter: 'CustomerID', members: { name, Id: NUMBER }, id: ['Id'] },
  'without separators': { parameter: 'customerid', members: { name, id: NUMBER, code: TEXT }, id: ['id'] },
  'the plural noun': { parameter: 'customers_id', members: { name, id: NUMBER, key: TEXT }, id: ['id'] },
  'either type': { parameter: 'customerId', takes: EITHER, members: { name, id: NUMBER, slug: TEXT }, id: ['id'] },
  'an id with an underscore': { parameter: 'id', members: { _id: TEXT, name, id_card: TEXT }, id: ['_id'] },
  'a uuid': { parameter: 'customerUuid', takes: UUID, members: { id: NUMBER, uuid: UUID, name }, id: ['uuid'] },
  'a prefix before the noun': {
    parameter: 'external_customer_id',
    members: { uid: UUID, slug: TEXT, external_id: TEXT, name },
    id: ['external_id'],
  },
  'a prefix before the noun beside an id': {
    parameter: 'external_customer_id',
    members: { id: UUID, external_id: TEXT, name },
    id: ['external_id'],
  },
  'a prefix after the noun': {
    parameter: 'customer_external_id',
    members: { id: UUID, external_id: TEXT, name },
    id: ['external_id'],
  },
  'camel case with a prefix': {
    parameter: 'externalCustomerId',
    members: { id: NUMBER, externalId: TEXT, name },
    id: ['externalId'],
  },
  'a number': {
    at: '/issues',
    parameter: 'issue_number',
    takes: NUMBER,
    members: { id: NUMBER, number: NUMBER, title: name },
    id: ['number'],
  },
  'a name of a collection of two words': {
    at: '/config-settings',
    parameter: 'config_setting_name',
    members: { id: NUMBER, name, title: TEXT },
    id: ['name'],
  },
  'the last word of the noun': {
    at: '/user_groups',
    parameter: 'group_key',
    members: { id: NUMBER, key: TEXT, name },
    id: ['key'],
  },
  'a code': { at: '/discounts', parameter: 'discountCode', members: { id: NUMBER, code: TEXT, name }, id: ['code'] },
  'a slug': { at: '/posts', parameter: 'slug', members: { id: NUMBER, slug: TEXT, title: TEXT }, id: ['slug'] },
  'a slug with its noun': {
    at: '/posts',
    parameter: 'post_slug',
    members: { id: NUMBER, slug: TEXT, title: TEXT },
    id: ['slug'],
  },
  'a user name': { at: '/users', parameter: 'username', members: { id: NUMBER, username: TEXT }, id: ['username'] },
  'only the noun, with a full name': {
    at: '/repos',
    parameter: 'repo',
    members: { id: NUMBER, name, full_name: TEXT },
    id: ['name'],
  },
  'only the noun': { at: '/customers', parameter: 'customer', members: { id: TEXT, name }, id: ['id'] },
  'only the noun of a number': { at: '/customers', parameter: 'customer', members: { id: NUMBER, name }, id: ['id'] },
  'the noun in the item': { parameter: 'id', members: { customer_id: TEXT, name }, id: ['customer_id'] },
  'the noun in the item, beside a foreign id': {
    parameter: 'id',
    members: { owner_id: TEXT, customerId: NUMBER, name },
    id: ['customerId'],
  },
  'a foreign word before the id': { parameter: 'id', members: { acme_id: UUID, name }, id: ['acme_id'] },
  'an id one level down': {
    at: '/tables',
    parameter: 'tableId',
    members: {
      id: TEXT,
      tableReference: { type: 'object', required: ['tableId'], properties: { tableId: TEXT, projectId: TEXT } },
    },
    id: ['tableReference', 'tableId'],
  },
  'an id in another object is not the own': {
    at: '/orders',
    parameter: 'orderId',
    members: { id: NUMBER, payment: { type: 'object', required: ['orderId'], properties: { orderId: TEXT } } },
    id: ['id'],
  },
  'a name in metadata': {
    at: '/pods',
    parameter: 'name',
    members: { kind: TEXT, metadata: { type: 'object', required: ['name'], properties: { name } } },
    id: ['metadata', 'name'],
  },
  'a resource name': {
    at: '/files',
    parameter: 'name',
    members: { name: { type: 'string', pattern: '^files/[a-z0-9-]+$' } },
    id: ['name'],
  },
  'the same schema': {
    parameter: 'ref',
    takes: { $ref: '#/components/schemas/Handle' },
    members: { id: NUMBER, owner: TEXT, alias: { $ref: '#/components/schemas/Handle' } },
    id: ['alias'],
  },
  'the same schema, though the id is a number': {
    parameter: 'customerId',
    takes: { $ref: '#/components/schemas/Handle' },
    members: { id: NUMBER, alias: { $ref: '#/components/schemas/Handle' } },
    id: ['alias'],
  },
  'the same pattern': {
    parameter: 'ref',
    takes: { type: 'string', pattern: '^c_[a-z0-9]{8}$' },
    members: { key: TEXT, mark: { type: 'string', pattern: '^c_[a-z0-9]{8}$' } },
    id: ['mark'],
  },
  'the same example': {
    parameter: 'ref',
    describes: { example: 'acme-gmbh' },
    members: {
      id: NUMBER,
      permalink: { type: 'string', example: 'acme-gmbh' },
      name: { type: 'string', example: 'Acme' },
    },
    id: ['permalink'],
  },
  'the same description': {
    parameter: 'ref',
    describes: { description: 'The handle of the customer.' },
    members: { id: NUMBER, nick: { type: 'string', description: 'The handle of the customer' } },
    id: ['nick'],
  },
  'a link of the creation': {
    parameter: 'which',
    members: { id: NUMBER, token: TEXT },
    id: ['token'],
    links: { get: { operationId: 'read', parameters: { which: '$response.body#/token' } } },
  },
  'a link into an envelope': {
    parameter: 'which',
    envelope: 'customer',
    members: { id: NUMBER, token: TEXT },
    id: ['token'],
    links: { get: { operationId: 'read', parameters: { which: '$response.body#/customer/token' } } },
  },
  'an envelope': {
    parameter: 'external_customer_id',
    envelope: 'customer',
    members: { lago_id: UUID, external_id: TEXT, slug: TEXT },
    id: ['external_id'],
  },
  'an envelope named data': { parameter: 'customerId', envelope: 'data', members: { id: NUMBER, name }, id: ['id'] },
  'a creation that returns the id alone': {
    parameter: 'customerId',
    members: { id: TEXT, name },
    id: ['id'],
    created: [{ type: 'object', required: ['id'], properties: { id: TEXT } }, ['id']],
  },
  'a creation that returns the parameter alone': {
    parameter: 'customerId',
    members: { id: TEXT, name },
    id: ['id'],
    created: [{ type: 'object', required: ['customerId'], properties: { customerId: TEXT } }, ['customerId']],
  },
  'a creation that returns the id of a number as text': {
    parameter: 'customerId',
    members: { id: NUMBER, name },
    id: ['id'],
    created: [{ type: 'object', required: ['customerId'], properties: { customerId: TEXT } }, ['customerId']],
  },
  'a creation that returns the id in an envelope': {
    parameter: 'customerId',
    members: { id: TEXT, name },
    id: ['id'],
    created: [
      {
        type: 'object',
        required: ['result'],
        properties: { result: { type: 'object', required: ['customer_id'], properties: { customer_id: TEXT } } },
      },
      ['result', 'customer_id'],
    ],
  },
  'a correction': {
    parameter: 'x',
    members: { id: TEXT, alpha: TEXT, beta: TEXT },
    id: ['beta'],
    resources: { '/customers': { id: 'beta' } },
  },
  'a correction by a pointer': {
    parameter: 'x',
    members: { id: TEXT, keys: { type: 'object', required: ['own'], properties: { own: TEXT } } },
    id: ['keys', 'own'],
    resources: { '/customers': { id: '/keys/own' } },
  },
  'a correction of the response': {
    parameter: 'x',
    members: { id: TEXT, name },
    id: ['id'],
    created: [
      {
        type: 'object',
        required: ['made'],
        properties: { made: { type: 'object', required: ['ref'], properties: { ref: TEXT } } },
      },
      ['made', 'ref'],
    ],
    resources: { '/customers': { idInResponse: '/made/ref' } },
  },
};

const json = (schema: Schema): Schema => ({ content: { 'application/json': { schema } } });
const ok = (schema: Schema): Schema => ({ description: 'ok', ...json(schema) });
const enclose = (member: string | undefined, schema: Schema): Schema =>
  member === undefined ? schema : { type: 'object', required: [member], properties: { [member]: schema } };

function toDocument(shape: Shape): Schema {
  const {
    at = '/customers',
    parameter,
    takes = TEXT,
    describes = {},
    members,
    envelope,
    created,
    links,
    resources,
  } = shape;
  const item = enclose(envelope, { $ref: '#/components/schemas/Item' });
  const list = {
    type: 'object',
    required: ['data'],
    properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
  };
  const sent = { type: 'object', required: ['tag'], properties: { tag: TEXT } };
  const made = { ...ok(created?.[0] ?? item), ...(links === undefined ? {} : { links }) };
  return {
    openapi: '3.1.0',
    info: { title: 'Ids', version: '1' },
    ...(resources === undefined ? {} : { 'x-resources': resources }),
    paths: {
      [at]: {
        get: { operationId: 'list', responses: { 200: ok(list) } },
        post: {
          operationId: 'create',
          requestBody: { required: true, ...json(enclose(envelope, sent)) },
          responses: { 201: made },
        },
      },
      [`${at}/{${parameter}}`]: {
        parameters: [{ name: parameter, in: 'path', required: true, schema: takes, ...describes }],
        get: { operationId: 'read', responses: { 200: ok(item), 404: { description: 'none' } } },
        delete: { operationId: 'delete', responses: { 204: { description: 'gone' }, 404: { description: 'none' } } },
      },
    },
    components: {
      schemas: {
        Handle: { type: 'string', minLength: 3 },
        Item: { type: 'object', required: Object.keys(members), properties: { ...members, tag: TEXT } },
      },
    },
  };
}

test.each(Object.entries(SHAPES))(
  'an item is read, listed and deleted under the id that its creation shows: %s',
  async (_, shape) => {
    const { at = '/customers', envelope, id: path, created } = shape;
    const mock = await startMock(await loadDocument(toDocument(shape)), { seed: 1 });
    const open = (body: unknown): unknown => (envelope === undefined ? body : valueAtPath(body, [envelope]));
    const send = async (
      method: string,
      target: string,
      body?: unknown,
    ): Promise<readonly [status: number, body: unknown]> => {
      const response = await mock.fetch(mock.url + target, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await response.text();
      return [response.status, text === '' ? undefined : (JSON.parse(text) as unknown)];
    };
    const make = async (tag: string): Promise<string> => {
      const [status, body] = await send('POST', at, envelope === undefined ? { tag } : { [envelope]: { tag } });
      expect(status).toBe(201);
      return String(created === undefined ? valueAtPath(open(body), path) : valueAtPath(body, created[1]));
    };
    try {
      const [first, second] = [await make('one'), await make('two')];
      expect(first).not.toBe(second);
      for (const [id, tag] of [
        [first, 'one'],
        [second, 'two'],
      ] as const) {
        const key = encodeURIComponent(id.replace(/^files\//, ''));
        const [status, body] = await send('GET', `${at}/${key}`);
        expect([status, valueAtPath(open(body), ['tag'])], `GET ${at}/${key}`).toEqual([200, tag]);
        expect(String(valueAtPath(open(body), path))).toBe(id);
        const [, page] = await send('GET', at);
        const ids = (valueAtPath(page, ['data']) as unknown[]).map((item) => String(valueAtPath(item, path)));
        expect(ids).toContain(id);
        expect((await send('DELETE', `${at}/${key}`))[0]).toBe(204);
        expect((await send('GET', `${at}/${key}`))[0]).toBe(404);
      }
    } finally {
      await mock.close();
    }
  },
);
