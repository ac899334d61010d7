import { Ajv } from 'ajv';
import { type FastifyInstance, fastify } from 'fastify';

/**
 * Bare Fastify that validates the same requests and responses and serialises by the same schema: what a server costs that
 * does nothing else.
 */
const item = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string', minLength: 1, maxLength: 80 },
    price: { type: 'number', minimum: 0 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 20 },
  },
};

const app: FastifyInstance = fastify();
const isItem = new Ajv().compile(item);
/** As @fastify/response-validation does it: Fastify itself checks no response. */
app.addHook('preSerialization', (_request, _reply, received, done) =>
  isItem(received) ? done(null, received) : done(new Error('The response breaks its schema.')),
);
const items = new Map([['1', { id: '1', name: 'cup', price: 4.5, tags: ['blue', 'small'] }]]);
const params = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
app.get<{ Params: { id: string } }>(
  '/items/:id',
  { schema: { params, response: { 200: item } } },
  (request, received) => {
    const found = items.get(request.params.id);
    return found ?? received.code(404).send();
  },
);
app.post<{ Body: Readonly<Record<string, unknown>> }>(
  '/items',
  { schema: { body: item, response: { 201: item } } },
  (request, received) => {
    return received.code(201).send({ id: '2', ...request.body });
  },
);
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
