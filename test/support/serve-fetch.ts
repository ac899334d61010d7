import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FetchServer extends AsyncDisposable {
  readonly url: string;
}

/** Serves the responses of a `fetch` on its own port. The paths of requests are looked up at `origin`. */
export async function serveFetch(received: typeof fetch, origin: string): Promise<FetchServer> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const { method = 'GET', rawHeaders } = request;
      const headers = new Headers();
      for (let index = 0; index + 1 < rawHeaders.length; index += 2)
        if (!/^(?:host|connection|content-length|transfer-encoding)$/i.test(rawHeaders[index] ?? ''))
          headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
      const responded = await received(new URL(request.url ?? '/', origin).href, { method, headers, ...body });
      response.writeHead(responded.status, Object.fromEntries(responded.headers));
      response.end(Buffer.from(await responded.arrayBuffer()));
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
