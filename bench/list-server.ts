import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of Node's own with a list of `?limit=` items, written anew for each request. It prints its port. */
const items = Array.from({ length: 2_000 }, (_, id) => ({ id, name: 'plate', price: 1, tags: [] }));

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const body = Buffer.from(JSON.stringify(items.slice(0, Number(searchParams.get('limit') ?? 10))));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
