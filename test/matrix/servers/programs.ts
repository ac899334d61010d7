/** Servers that are written by hand with the types of `server.ts`, as text: handlers for each spec, and a start for each framework. */

const PETSTORE = `
import { reply, type PetstoreHandlers } from './petstore/server.js';
import type { Pet } from './petstore/types.js';
interface User { readonly key: string }
const pets = new Map<number, Pet>();
let last = 0;
const unknown = { error: { code: 404, message: 'There is no such pet.' } };
export const handlers: PetstoreHandlers<{ identity: User }> = {
  listPets({ query: { limit = 20, page = 1, status, born } }) {
    const found = [...pets.values()].filter(
      (pet) =>
        (status === undefined || status.includes(pet.status)) &&
        (born?.after === undefined || (pet.born ?? '') > born.after) &&
        (born?.before === undefined || (pet.born ?? '9') < born.before),
    );
    return reply.listPets(200, found.slice(limit * (page - 1), limit * page));
  },
  createPet({ body }) {
    const pet = { ...body, id: (last += 1) };
    pets.set(pet.id, pet);
    return reply.createPet(201, pet, { location: '/pets/' + pet.id });
  },
  getPet({ path }) {
    const pet = pets.get(path.petId);
    return pet === undefined ? reply.getPet(404, unknown) : reply.getPet(200, pet);
  },
  replacePet({ path, body }) {
    if (!pets.has(path.petId)) return reply.replacePet(404, unknown);
    const pet = { ...body, id: path.petId };
    pets.set(pet.id, pet);
    return reply.replacePet(200, pet);
  },
  deletePet: ({ path }) => (pets.delete(path.petId) ? reply.deletePet(204) : reply.deletePet(404, unknown)),
  addPhoto({ path, body }) {
    if (!pets.has(path.petId)) return reply.addPhoto(404, unknown);
    return reply.addPhoto(200, { size: body.photo.size, ...(body.caption === undefined ? {} : { caption: body.caption }) });
  },
  countPets: () => reply.countPets(200, { count: pets.size }),
};
export const authenticate = { key: (key: string): User | undefined => (key === 'k' ? { key } : undefined) };
`;

const NOTES = `
import { reply, type NotesHandlers } from './notes/server.js';
import type { Note } from './notes/types.js';
const notes = new Map<string, Note>();
const unknown = { title: 'Not Found', status: 404, detail: 'There is no such note.' };
const now = (): string => new Date().toISOString();
export const handlers: NotesHandlers<{ identity: string }> = {
  listNotes: ({ query: { q = '' } }) => reply.listNotes(200, { notes: [...notes.values()].filter(({ text }) => text.includes(q)) }),
  addNote({ body }) {
    const note = { ...body, id: crypto.randomUUID(), changed: now() };
    notes.set(note.id, note);
    return reply.addNote(201, note);
  },
  getNote({ path: { id } }) {
    const note = notes.get(id.toLowerCase());
    return note === undefined ? reply.getNote(404, unknown) : reply.getNote(200, note);
  },
  changeNote({ path: { id }, body }) {
    const note = notes.get(id.toLowerCase());
    if (note === undefined) return reply.changeNote(404, unknown);
    const changed = { ...note, ...(body.text === undefined ? {} : { text: body.text }), changed: now() };
    notes.set(note.id, changed);
    return reply.changeNote(200, changed);
  },
  deleteNote: ({ path: { id } }) => (notes.delete(id.toLowerCase()) ? reply.deleteNote(204) : reply.deleteNote(404, unknown)),
};
export const authenticate = {
  basic: ({ username, password }: { username: string; password: string }): string | undefined => (password === 'p' ? username : undefined),
};
`;

const SHOP = `
import { reply, type ShopHandlers } from './shop/server.js';
import type { Order } from './shop/types.js';
const orders = new Map<string, Order>();
const made = new Map<string, { readonly text: string; readonly order: Order }>();
const invoices = new Map<string, Blob>();
export const handlers: ShopHandlers<{ identity: { readonly scopes: readonly string[] } }> = {
  listOrders: ({ query: { skip = 0, take = 2 } }) => reply.listOrders(200, [...orders.values()].slice(skip, skip + take)),
  createOrder({ body, headers }) {
    const text = JSON.stringify(body);
    const known = made.get(headers['Idempotency-Key']);
    if (known !== undefined)
      return known.text === text ? reply.createOrder(201, known.order) : reply.createOrder(409, { message: 'The key was used already.' });
    const order = { id: 'o' + (orders.size + 1), item: body.item };
    orders.set(order.id, order);
    made.set(headers['Idempotency-Key'], { text, order });
    return reply.createOrder(201, order);
  },
  getOrder({ path }) {
    const order = orders.get(path.id);
    return order === undefined ? reply.getOrder(404, { message: 'There is no such order.' }) : reply.getOrder(200, order);
  },
  watchOrders: (_request, { signal }) => reply.watchOrders(200, watch(signal)),
  async putInvoice({ path, body }) {
    const pieces: BlobPart[] = [];
    for await (const piece of body) pieces.push(piece as BlobPart);
    invoices.set(path.id, new Blob(pieces));
    return reply.putInvoice(204);
  },
  getInvoice: ({ path }) => reply.getInvoice(200, invoices.get(path.id) ?? new Blob(['%PDF-1.4'])),
};
async function* watch(signal: AbortSignal): AsyncGenerator<string | { data: unknown }> {
  for (const order of orders.values()) {
    if (signal.aborted) return;
    yield { data: order };
  }
  yield 'data: [DONE]\\n\\n';
}
export const authenticate = { token: (token: string) => (token === 't' ? { scopes: [] } : undefined) };
`;

/** A spec, its handlers, and the header that its credential is sent in. */
interface Served {
  readonly spec: string;
  readonly program: string;
  readonly header: readonly [name: string, value: string];
}

/** What is served, by the name of the API. */
export const SERVED: Readonly<Record<string, Served>> = {
  petstore: { spec: 'test/matrix/servers/petstore.yaml', program: PETSTORE, header: ['X-Key', 'k'] },
  notes: { spec: 'test/matrix/servers/notes.yaml', program: NOTES, header: ['Authorization', `Basic ${btoa('me:p')}`] },
  shop: { spec: 'test/docs/shop.yaml', program: SHOP, header: ['Authorization', 'Bearer t'] },
};

/** Handlers of the shop that count the bytes of an upload, and send events until the client leaves. */
const COUNT = `
import { reply, ServerError, type ShopHandlers } from './shop/server.js';
export const seen = { bytes: 0, memory: 0, ended: 0, aborted: 0 };
export const handlers: Pick<ShopHandlers, 'putInvoice' | 'watchOrders' | 'getOrder' | 'getInvoice'> = {
  async putInvoice({ body }) {
    for await (const piece of body) {
      seen.bytes += piece.length;
      seen.memory = Math.max(seen.memory, process.memoryUsage().arrayBuffers);
    }
    return reply.putInvoice(204);
  },
  watchOrders: (_request, { signal }) => {
    signal.addEventListener('abort', () => (seen.aborted += 1));
    return reply.watchOrders(200, watch());
  },
  getOrder: () => {
    throw new ServerError(404, 'There is no such order.');
  },
  getInvoice: () => {
    throw new Error('secret');
  },
};
async function* watch(): AsyncGenerator<{ data: unknown }> {
  try {
    for (let id = 0; ; id += 1) {
      yield { data: { id: String(id), item: 'x' } };
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    seen.ended += 1;
  }
}
export const authenticate = { token: (token: string) => (token === 't' ? {} : undefined) };
`;

/** Uses of the types, with what must not compile. */
const TYPES = `
import { reply, shopFetch, type ShopHandlers, type ShopReply } from './shop/server.js';
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_equal: Equal<A, B>): void => {};
interface User { readonly id: string }
const handlers: ShopHandlers<{ identity: User }> = {
  listOrders: ({ query }) => {
    same<typeof query.skip, number | undefined>(true);
    return reply.listOrders(200, []);
  },
  createOrder: async ({ body, headers }, { identity, signal, operation }) => {
    same<typeof identity, User>(true);
    const key: string = headers['Idempotency-Key'];
    if (body.item === '' || signal.aborted) return reply.createOrder(409, { message: operation + key });
    // @ts-expect-error 404 is not documented.
    reply.createOrder(404, { message: 'no' });
    // @ts-expect-error The body is missing.
    reply.createOrder(201);
    // @ts-expect-error The body has another type.
    reply.createOrder(201, { message: 'x' });
    return reply.createOrder(201, { id: identity.id, item: body.item });
  },
  getOrder: ({ path }) => ({ status: 200, body: { id: path.id, item: 'x' } }),
  watchOrders: () => reply.watchOrders(200, new ReadableStream<Uint8Array>()),
  putInvoice: async ({ body }) => {
    for await (const piece of body) same<typeof piece, Uint8Array>(true);
    return reply.putInvoice(204);
  },
  getInvoice: () => reply.getInvoice(200, new Uint8Array()),
};
// @ts-expect-error The status is not documented.
export const wrong: ShopReply<'getOrder'> = { status: 500, body: { message: '' } };
// @ts-expect-error 204 has no body.
reply.putInvoice(204, 'x');
const token = async (given: string): Promise<User | undefined> => (given === 'x' ? { id: 'x' } : undefined);
export const all = shopFetch(handlers, { authenticate: { token } });
export const inferred = shopFetch(handlers, { authenticate: { token: (given) => (given === '' ? undefined : { id: given }) } });
export const some = shopFetch({ getOrder: handlers.getOrder }, { authenticate: { token } });
// @ts-expect-error Handlers without a return are missing a status.
const none: ShopHandlers['getOrder'] = () => undefined;
// @ts-expect-error A handler is missing in the whole interface.
const part: ShopHandlers = { getOrder: handlers.getOrder };
// @ts-expect-error A function is missing.
shopFetch(handlers, {});
// @ts-expect-error A function is missing.
shopFetch(handlers, { authenticate: {} });
// @ts-expect-error The identity has another type.
shopFetch(handlers, { authenticate: { token: () => ({ name: 1 }) } });
void [none, part];
`;

/** Programs beside those that are served. */
export const OTHERS: Readonly<Record<'count' | 'types', string>> = { count: COUNT, types: TYPES };

/** Starts a server: returns its address and a function that ends it. */
export type Start = () => Promise<{ readonly url: string; readonly close: () => Promise<unknown> }>;

const HEAD = (api: string, adapter: string, handlers: string): string => `
import { ${api}${adapter} } from './${api}/server.js';
import * as given from './${handlers}-handlers.js';
export const { seen } = given as { readonly seen?: object };
const { handlers, authenticate } = given;
const options = { authenticate, onError: () => undefined };
`;

const LISTEN = `
const server = await new Promise<Server>((resolve) => { const made = listen(() => resolve(made)); });
return { url: 'http://127.0.0.1:' + (server.address() as AddressInfo).port, close: () => new Promise((resolve) => { server.close(resolve); server.closeAllConnections(); }) };
`;

/** A program that exports \`start\`, by framework. */
export const STARTS: Readonly<Record<string, (api: string, handlers: string) => string>> = {
  fetch: (api, handlers) => `${HEAD(api, 'Fetch', handlers)}
import { serve } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
export async function start() {
  const fetch = ${api}Fetch(handlers, options);
  const listen = (done: () => void) => serve({ fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false }, done) as Server;
  ${LISTEN}
}`,
  hono: (api, handlers) => `${HEAD(api, 'Hono', handlers)}
import { Hono } from 'hono';
import { serve } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
export async function start() {
  const app = new Hono();
  app.use(async (c, next) => { await next(); c.res.headers.set('x-app', 'yes'); });
  app.route('/', ${api}Hono(handlers, options));
  const listen = (done: () => void) => serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, done) as Server;
  ${LISTEN}
}`,
  fastify: (api, handlers) => `${HEAD(api, 'Fastify', handlers)}
import { fastify } from 'fastify';
export async function start() {
  const app = fastify();
  app.addHook('onSend', async (_request, reply) => void reply.header('x-app', 'yes'));
  await app.register(${api}Fastify, { handlers, ...options });
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() };
}`,
  express: (api, handlers) => `${HEAD(api, 'Express', handlers)}
import { default as express } from 'express';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
export async function start() {
  const app = express();
  app.use((_req, res, next) => { res.setHeader('x-app', 'yes'); next(); });
  app.use(${api}Express(handlers, options));
  const listen = (done: () => void) => app.listen(0, '127.0.0.1', done) as Server;
  ${LISTEN}
}`,
};
