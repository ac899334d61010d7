// A server as a team would have it: written by hand, without specmill. The workflow beside it holds it against the spec.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const BASE = '/v1';
const STATES = new Set(['waiting', 'collected']);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @type {Map<string, { id: string, recipient: string, grams: number, state: string }>} */
const parcels = new Map();

const FIELDS = {
  recipient: (value) => typeof value === 'string' && [...value].length >= 1 && [...value].length <= 80,
  grams: (value) => Number.isInteger(value) && value >= 1 && value <= 30_000,
  state: (value) => STATES.has(value),
};

class Refusal extends Error {
  constructor(status, message, { headers = {}, violations } = {}) {
    super(message);
    Object.assign(this, { status, headers, violations });
  }
}

const badMember = (name, message) =>
  new Refusal(400, `The member ${name} ${message}.`, {
    violations: [{ in: 'body', pointer: name === '' ? '' : `/${name}`, message }],
  });

async function readJson(request) {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'Send application/json.');
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > 100_000) throw new Refusal(413, 'That is too much.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new Refusal(400, 'The body is no JSON.');
  }
}

/** The members that a client may set. */
function checkMembers(body, allowed, required) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badMember('', 'must be an object');
  const given = allowed.filter((name) => Object.hasOwn(body, name));
  for (const name of required) if (!given.includes(name)) throw badMember(name, 'is missing');
  for (const name of given) if (!FIELDS[name](body[name])) throw badMember(name, 'has a value that is not allowed');
  return Object.fromEntries(given.map((name) => [name, body[name]]));
}

function readCount(query, name, [least, most, otherwise]) {
  const text = query.get(name);
  if (text === null) return otherwise;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new Refusal(400, `${name} is out of bounds.`, {
    violations: [{ in: 'query', pointer: `/${name}`, message: 'is out of bounds' }],
  });
}

const find = (id) => {
  if (!UUID.test(id)) throw new Refusal(400, 'That is no id.');
  const parcel = parcels.get(id.toLowerCase());
  if (parcel === undefined) throw new Refusal(404, 'There is no such parcel.');
  return parcel;
};

const COLLECTION = {
  async POST({ request }) {
    const input = checkMembers(await readJson(request), ['recipient', 'grams'], ['recipient', 'grams']);
    const parcel = { id: randomUUID(), ...input, state: 'waiting' };
    parcels.set(parcel.id, parcel);
    return { status: 201, headers: { location: `${BASE}/parcels/${parcel.id}` }, body: parcel };
  },
  GET({ query }) {
    const state = query.get('state');
    if (state !== null && !STATES.has(state)) throw new Refusal(400, 'There is no such state.');
    const offset = readCount(query, 'offset', [0, Number.MAX_SAFE_INTEGER, 0]);
    const limit = readCount(query, 'limit', [1, 100, 20]);
    const all = [...parcels.values()].filter((parcel) => state === null || parcel.state === state);
    return { status: 200, body: { parcels: all.slice(offset, offset + limit), total: all.length } };
  },
};

const ITEM = {
  GET: ({ id }) => ({ status: 200, body: find(id) }),
  async PATCH({ id, request }) {
    const known = find(id);
    const body = await readJson(request);
    const change = checkMembers(body, ['recipient', 'grams', 'state'], []);
    if (Object.keys(body).length === 0) throw badMember('', 'must have a member');
    return { status: 200, body: Object.assign(known, change) };
  },
  DELETE({ id }) {
    parcels.delete(find(id).id);
    return { status: 204 };
  },
};

async function received(request) {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const [, id] = /^\/v1\/parcels(?:\/([^/]+))?$/.exec(pathname) ?? [null, null];
  if (id === null) throw new Refusal(404, 'There is nothing here.');
  const handlers = id === undefined ? COLLECTION : ITEM;
  const handler = handlers[request.method];
  if (handler === undefined)
    throw new Refusal(405, 'That cannot be done here.', { headers: { allow: Object.keys(handlers).join(', ') } });
  if (!/^bearer \S+$/i.test(request.headers.authorization ?? ''))
    throw new Refusal(401, 'Who are you?', { headers: { 'www-authenticate': 'Bearer' } });
  return handler({ request, query, id: id === undefined ? '' : decodeURIComponent(id) });
}

const server = createServer(async (request, response) => {
  try {
    const { status, headers = {}, body } = await received(request);
    send(response, status, headers, body);
  } catch (error) {
    const isRefusal = error instanceof Refusal || error instanceof URIError;
    const { status = isRefusal ? 400 : 500, headers = {}, violations } = error;
    if (!isRefusal) console.error(error);
    send(response, status, headers, { message: isRefusal ? error.message : 'That is our fault.', violations });
  }
  request.resume();
});

function send(response, status, headers, body) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...headers, ...type }).end(body === undefined ? undefined : JSON.stringify(body));
}

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`parcels listens on http://127.0.0.1:${server.address().port}${BASE}`);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close(() => process.exit(0)));
