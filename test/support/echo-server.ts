import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came over the wire, seen by Node alone: none of our code is in between. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export interface EchoServer extends AsyncDisposable {
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** The request that came last. */
  readonly last: () => ReceivedRequest;
}

/** A server on loopback that keeps every request, and responds with `{}` or by `respond`. */
export async function startEchoServer(
  respond?: (request: ReceivedRequest, response: ServerResponse) => void,
): Promise<EchoServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks),
      };
      received.push(request);
      if (respond !== undefined) respond(request, response);
      else response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    last() {
      const request = received.at(-1);
      if (request === undefined) throw new Error('No request came.');
      return request;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
