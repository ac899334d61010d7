import { randomBytes } from 'node:crypto';
import path from 'node:path';

import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'unknown-payment-null': 'GET of an unknown payment is 200 with null',
  'unknown-customer-500': 'PATCH of an unknown customer fails with 500',
  'card-number-any': 'A card number of any text is accepted',
  'last4-missing': 'A card payment is shown without last4',
  'bank-500': 'A bank payment fails with 500',
  'amount-maximum': 'The largest amount is refused',
  'amount-zero': 'An amount of 0 is accepted',
  'currency-ignored': 'The filter by currency does nothing',
  'customer-ignored': 'The filter by customer does nothing',
  'job-status': 'A finished export has the status finished, which is not documented',
  'job-result': 'A finished export has no downloadUrl',
  'head-inverted': 'HEAD says 404 for what exists and 200 for what does not',
  'idempotency-ignored': 'A repeated Idempotency-Key creates a second payment',
  'metadata-lost': 'The metadata of a payment is not stored',
  'address-not-stored': 'PATCH of the address responds 200 and stores nothing',
  'delete-next': 'Deleting a customer deletes the one created after it, too',
  'deleted-listed': 'A deleted customer stays in the list',
  'has-more-always': 'hasMore is true on the last page',
  'limit-ignored': 'A page always has 25 items',
  'email-any': 'Any text is accepted as an email',
  'captured-again-500': 'Capturing a captured payment fails with 500',
  'cvc-shown': 'The cvc of a card is stored and shown',
  'newsletter-default': 'A customer without newsletter gets the newsletter',
  'address-strict': 'Unknown members of an address are accepted',
} as const;

type Bug = keyof typeof BUGS;
type Json = Record<string, unknown>;

interface Customer extends Json {
  id: string;
}

interface Payment extends Json {
  id: string;
  customerId: string;
  currency: string;
  status: string;
}

interface Page {
  limit: number;
  offset: number;
}

const CURRENCY = { type: 'string', enum: ['CZK', 'EUR', 'USD'] };
const text = (minLength: number, maxLength: number): Json => ({ type: 'string', minLength, maxLength });

function schemas(has: (name: Bug) => boolean): Record<'customer' | 'changes' | 'payment' | 'export', Json> {
  const address = {
    type: 'object',
    required: ['street', 'city'],
    additionalProperties: has('address-strict'),
    properties: { street: text(1, 100), city: text(1, 60), zip: { type: 'string', pattern: '^[0-9]{5}$' } },
  };
  const number = has('card-number-any') ? { type: 'string' } : { type: 'string', pattern: '^[0-9]{13,19}$' };
  const branches = [
    ['card', { number, cvc: { type: 'string', pattern: '^[0-9]{3}$' } }],
    ['bank', { iban: { type: 'string', pattern: '^[A-Z]{2}[0-9]{14,22}$' } }],
    ['wallet', { provider: { type: 'string', enum: ['apple', 'google'] } }],
  ] as const;
  const method = {
    oneOf: branches.map(([type, properties]) => ({
      type: 'object',
      required: ['type', ...Object.keys(properties)],
      properties: { type: { const: type }, ...properties },
    })),
  };
  const email = has('email-any') ? { type: 'string' } : { type: 'string', format: 'email' };
  const strict = { type: 'object', additionalProperties: false };
  return {
    customer: {
      ...strict,
      required: ['name', 'email'],
      properties: { name: text(1, 100), email, address, newsletter: { type: 'boolean' } },
    },
    changes: {
      ...strict,
      minProperties: 1,
      properties: { name: text(1, 100), address, newsletter: { type: 'boolean' } },
    },
    payment: {
      ...strict,
      required: ['customerId', 'amount', 'currency', 'method'],
      properties: {
        customerId: { type: 'string', pattern: '^cus_[0-9a-f]{8}$' },
        amount: {
          type: 'integer',
          minimum: has('amount-zero') ? 0 : 1,
          maximum: has('amount-maximum') ? 999999 : 1000000,
        },
        currency: CURRENCY,
        method,
        note: text(0, 140),
        metadata: { type: 'object', maxProperties: 10, additionalProperties: text(0, 100) },
      },
    },
    export: {
      ...strict,
      required: ['format'],
      properties: { format: { type: 'string', enum: ['csv', 'json'] }, currency: CURRENCY },
    },
  };
}

const pageQuery: Json = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
  offset: { type: 'integer', minimum: 0, default: 0 },
};
const idParameter = (name: string, prefix: string): Json => ({
  type: 'object',
  properties: { [name]: { type: 'string', pattern: `^${prefix}_[0-9a-f]{8}$` } },
});

function createApp(bug: string | undefined): FastifyInstance {
  const has = (name: Bug): boolean => bug === name;
  const app = fastify({
    exposeHeadRoutes: false,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
  });
  const schema = schemas(has);
  const customers: Customer[] = [];
  const removed: Customer[] = [];
  const payments: Payment[] = [];
  const keys = new Map<string, Payment>();
  const exports = new Map<string, number>();
  const id = (prefix: string): string => `${prefix}_${randomBytes(4).toString('hex')}`;
  const problem = (statusCode: number, message: string): Error => Object.assign(new Error(message), { statusCode });
  const page = (items: Json[], { limit, offset }: Page): Json => {
    const size = has('limit-ignored') ? 25 : limit;
    const hasMore = has('has-more-always') ? items.length > 0 : offset + size < items.length;
    return { items: items.slice(offset, offset + size), hasMore };
  };
  customers.push({
    id: id('cus'),
    name: 'Ada',
    email: 'ada@example.com',
    newsletter: false,
    createdAt: '2026-01-01T08:00:00Z',
  });

  // Query strings are text, so they alone are converted.
  app.addHook('preValidation', async (request) => {
    const query = request.query as Record<string, unknown>;
    for (const name of ['limit', 'offset'])
      if (typeof query[name] === 'string' && /^-?\d+$/.test(query[name])) query[name] = Number(query[name]);
  });
  app.addHook('onRequest', async (request, response) => {
    if (request.headers.authorization !== 'Bearer sk_test_1')
      await response
        .code(401)
        .send({ statusCode: 401, error: 'Unauthorized', message: 'The secret key is missing or wrong.' });
  });
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, response) => {
    const statusCode = error.statusCode ?? 500;
    if (request.method === 'HEAD') return response.code(statusCode).send();
    return response
      .code(statusCode)
      .send({ statusCode, ...(error.code ? { code: error.code } : {}), error: error.name, message: error.message });
  });

  const byId = (request: FastifyRequest, name: string): string => String((request.params as Json)[name]);
  const findCustomer = (request: FastifyRequest): Customer => {
    const customer = customers.find((one) => one.id === byId(request, 'customerId'));
    if (customer === undefined) throw problem(404, 'There is no such customer.');
    return customer;
  };
  const listSchema = { schema: { querystring: { type: 'object', properties: pageQuery } } };
  app.get('/customers', listSchema, (request) => {
    const all = has('deleted-listed') ? [...customers, ...removed] : customers;
    return page(all, request.query as Page);
  });
  app.post('/customers', { schema: { body: schema.customer } }, (request, response) => {
    const body = request.body as Json;
    if (customers.some((one) => one.email === body.email)) throw problem(409, 'A customer has this email already.');
    const customer = {
      id: id('cus'),
      newsletter: has('newsletter-default'),
      ...body,
      createdAt: new Date().toISOString(),
    };
    customers.push(customer);
    return response.code(201).send(customer);
  });
  const customerParameter = idParameter('customerId', 'cus');
  app.get('/customers/:customerId', { schema: { params: customerParameter } }, (request) => findCustomer(request));
  app.patch('/customers/:customerId', { schema: { params: customerParameter, body: schema.changes } }, (request) => {
    const known = customers.some((one) => one.id === byId(request, 'customerId'));
    if (!known && has('unknown-customer-500'))
      throw new TypeError("Cannot set properties of undefined (setting 'name')");
    const customer = findCustomer(request);
    const { address, ...others } = request.body as Json;
    Object.assign(customer, others);
    if (has('address-not-stored')) return { ...customer, ...(address ? { address } : {}) };
    if (address !== undefined) customer.address = address;
    return customer;
  });
  app.delete('/customers/:customerId', { schema: { params: customerParameter } }, (request, response) => {
    const index = customers.indexOf(findCustomer(request));
    removed.push(...customers.splice(index, has('delete-next') ? 2 : 1));
    return response.code(204).send();
  });

  const paymentQuery = {
    ...pageQuery,
    customerId: { type: 'string', pattern: '^cus_[0-9a-f]{8}$' },
    currency: CURRENCY,
    status: { type: 'string', enum: ['authorized', 'captured'] },
  };
  app.get('/payments', { schema: { querystring: { type: 'object', properties: paymentQuery } } }, (request) => {
    const query = request.query as Page & Partial<Payment>;
    const found = payments.filter(
      (one) =>
        (query.customerId === undefined || has('customer-ignored') || one.customerId === query.customerId) &&
        (query.currency === undefined || has('currency-ignored') || one.currency === query.currency) &&
        (query.status === undefined || one.status === query.status),
    );
    return page(found, query);
  });
  const keyHeader = {
    type: 'object',
    properties: { 'idempotency-key': { type: 'string', minLength: 8, maxLength: 64 } },
  };
  app.post('/payments', { schema: { headers: keyHeader, body: schema.payment } }, (request, response) => {
    const key = request.headers['idempotency-key'] as string | undefined;
    const repeated = key === undefined || has('idempotency-ignored') ? undefined : keys.get(key);
    if (repeated !== undefined) return response.code(201).send(repeated);
    const { method, metadata, ...body } = request.body as Json & { method: Record<string, string> };
    if (!customers.some((one) => one.id === body.customerId)) throw problem(422, 'body/customerId is no customer');
    const payment = {
      id: id('pay'),
      ...body,
      method: showMethod(method),
      ...(metadata !== undefined && !has('metadata-lost') ? { metadata } : {}),
      status: 'authorized',
      createdAt: new Date().toISOString(),
    } as unknown as Payment;
    payments.push(payment);
    if (key !== undefined) keys.set(key, payment);
    return response.code(201).send(payment);
  });
  const showMethod = (method: Record<string, string>): Json => {
    if (method.type === 'wallet') return { type: 'wallet', provider: method.provider };
    if (method.type === 'bank' && has('bank-500')) throw new TypeError('method.number is undefined');
    if (method.type === 'bank') return { type: 'bank', iban: method.iban };
    const shown = has('last4-missing') ? {} : { last4: String(method.number).slice(-4).padStart(4, '0') };
    return { type: 'card', ...shown, ...(has('cvc-shown') ? { cvc: method.cvc } : {}) };
  };
  const paymentParameter = { schema: { params: idParameter('paymentId', 'pay') } };
  const findPayment = (request: FastifyRequest): Payment | undefined =>
    payments.find((one) => one.id === byId(request, 'paymentId'));
  app.get('/payments/:paymentId', paymentParameter, (request, response) => {
    const payment = findPayment(request);
    if (payment === undefined && has('unknown-payment-null')) return response.type('application/json').send('null');
    if (payment === undefined) throw problem(404, 'There is no such payment.');
    return response.send(payment);
  });
  app.head('/payments/:paymentId', paymentParameter, (request, response) => {
    const exists = (findPayment(request) !== undefined) !== has('head-inverted');
    return response.code(exists ? 200 : 404).send();
  });
  app.post('/payments/:paymentId/capture', paymentParameter, (request) => {
    const payment = findPayment(request);
    if (payment === undefined) throw problem(404, 'There is no such payment.');
    if (payment.status === 'captured')
      throw has('captured-again-500') ? new Error('stale state') : problem(409, 'It is captured.');
    payment.status = 'captured';
    return payment;
  });

  app.post('/exports', { schema: { body: schema.export } }, (_request, response) => {
    const exportId = id('exp');
    exports.set(exportId, Date.now());
    return response.code(202).header('location', `/exports/${exportId}`).send({ id: exportId, status: 'queued' });
  });
  app.get('/exports/:exportId', { schema: { params: idParameter('exportId', 'exp') } }, (request) => {
    const exportId = byId(request, 'exportId');
    const started = exports.get(exportId);
    if (started === undefined) throw problem(404, 'There is no such export.');
    if (Date.now() - started < 150) return { id: exportId, status: Date.now() - started < 50 ? 'queued' : 'running' };
    const downloadUrl = `https://files.example.com/${exportId}.csv`;
    const status = has('job-status') ? 'finished' : 'done';
    return { id: exportId, status, rows: payments.length, ...(has('job-result') ? {} : { downloadUrl }) };
  });
  return app;
}

/** Fastify with its own validation, oneOf with a discriminator, jobs, HEAD and idempotency keys. */
export const payments: ForeignApi = {
  name: 'payments',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { authorization: 'Bearer sk_test_1' },
  start: async (bug) => {
    const app = createApp(bug);
    await app.ready();
    return listen(app.server);
  },
};
