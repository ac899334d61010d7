import { Agent, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** A proxy that checks nothing: it forwards to the port of its argument, over connections that it keeps. Prints its port. */
const agent = new Agent({ keepAlive: true });
const port = Number(process.argv[2]);
const ignore = (): void => undefined;

const server = createServer(({ method, url, headers }, response) => {
  const upstream = send({ agent, port, host: '127.0.0.1', method, path: url, headers }, (received) => {
    response.writeHead(received.statusCode ?? 502, received.headers);
    pipeline(received, response, ignore);
  });
  upstream.on('error', () => response.destroy());
  upstream.end();
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
