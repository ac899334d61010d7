import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * A server that ends if a role is granted that exists. Its roles are in a file, so it can end again after a restart.
 * Arguments: the port (0: any), the file of the roles, and a file that gets the port and the process id.
 */
const [port = '0', rolesFile = '', stateFile = ''] = process.argv.slice(2);
const roles = new Set(existsSync(rolesFile) ? (JSON.parse(readFileSync(rolesFile, 'utf8')) as string[]) : []);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const reply = (status: number): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    };
    if (request.method !== 'POST') return reply(request.url === '/version' ? 200 : 404);
    let name: unknown;
    try {
      ({ name } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly name?: unknown });
    } catch {
      return reply(400);
    }
    if (typeof name !== 'string') return reply(400);
    if (request.url === '/role/grant' && roles.has(name)) process.exit(7);
    if (request.url !== '/role/add') return reply(request.url === '/role/grant' ? 400 : 404);
    roles.add(name);
    writeFileSync(rolesFile, JSON.stringify([...roles]));
    return reply(200);
  });
});
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : 0;
  writeFileSync(stateFile, JSON.stringify({ port: actual, pid: process.pid }));
});
