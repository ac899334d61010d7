/** A spec whose resources cannot be inferred well, with corrections at its root where a test gives them. */
export function shopSpec(corrections?: object): Record<string, unknown> {
  const text = { type: 'string' };
  const customer = {
    type: 'object',
    required: ['lago_id', 'external_id', 'email'],
    properties: {
      lago_id: { type: 'string', format: 'uuid' },
      external_id: text,
      email: text,
      plan_code: text,
      metadata: { type: 'object', additionalProperties: text },
      owner: { type: 'object', properties: { login: text } },
    },
  };
  const plan = { type: 'object', required: ['code', 'name'], properties: { code: text, name: text } };
  const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
  const ok = (schema: object, status = '200'): object => ({ [status]: { description: 'Done.', ...json(schema) } });
  const failed = (...statuses: string[]): object =>
    Object.fromEntries(statuses.map((status) => [status, { description: 'Refused.', ...json({ type: 'object' }) }]));
  const wrapped = (name: string, schema: object): object => ({
    type: 'object',
    required: [name],
    properties: { [name]: schema },
  });
  const refs = { customer: { $ref: '#/components/schemas/Customer' }, plan: { $ref: '#/components/schemas/Plan' } };
  const inPath = (name: string): object => ({ name, in: 'path', required: true, schema: text });
  const inQuery = (name: string): object => ({ name, in: 'query', schema: text });
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    ...(corrections === undefined ? {} : { 'x-resources': corrections }),
    paths: {
      '/customers': {
        get: {
          operationId: 'listCustomers',
          parameters: [inQuery('starting_after'), inQuery('per_page')],
          responses: ok({
            type: 'object',
            required: ['customers'],
            properties: {
              customers: { type: 'array', items: refs.customer },
              pages: { type: 'object', properties: { next: { type: ['string', 'null'] } } },
            },
          }),
        },
        post: {
          operationId: 'createCustomer',
          requestBody: { required: true, ...json(wrapped('customer', refs.customer)) },
          responses: { ...ok(wrapped('customer', refs.customer), '201'), ...failed('404', '409', '422') },
        },
      },
      '/customers/{external_customer_id}': {
        parameters: [inPath('external_customer_id')],
        get: {
          operationId: 'findCustomer',
          responses: { ...ok(wrapped('customer', refs.customer)), ...failed('404') },
        },
        patch: {
          operationId: 'updateCustomer',
          requestBody: {
            required: true,
            ...json(wrapped('customer', { type: 'object', properties: { email: text } })),
          },
          responses: { ...ok(wrapped('customer', refs.customer)), ...failed('404', '422') },
        },
        delete: { operationId: 'deleteCustomer', responses: { '204': { description: 'Gone.' }, ...failed('404') } },
      },
      '/plans': {
        get: { operationId: 'listPlans', responses: ok({ type: 'array', items: refs.plan }) },
        post: {
          operationId: 'createPlan',
          requestBody: { required: true, ...json(refs.plan) },
          responses: ok(refs.plan, '201'),
        },
      },
      '/plans/{code}': {
        parameters: [inPath('code')],
        get: { operationId: 'findPlan', responses: { ...ok(refs.plan), ...failed('404') } },
      },
      '/search': { get: { operationId: 'search', responses: ok({ type: 'object', properties: { hits: text } }) } },
      '/documents.info': {
        post: {
          operationId: 'documents.info',
          requestBody: json({ type: 'object', properties: { id: text } }),
          responses: ok({ type: 'object', properties: { id: text, title: text } }),
        },
      },
    },
    components: { schemas: { Customer: customer, Plan: plan } },
  };
}
