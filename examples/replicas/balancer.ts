import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forwards requests to servers in turn, and to the next one where one is gone. */
export async function startBalancer(
  targets: readonly string[],
): Promise<{ readonly url: string; readonly server: Server }> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    void readBody(incoming).then((body) => forward({ incoming, outgoing, body }, targets, turn));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

interface Forwarded {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly body: Buffer;
}

function forward(forwarded: Forwarded, targets: readonly string[], turn: number, failed = 0): void {
  const { incoming, outgoing, body } = forwarded;
  if (failed === targets.length) {
    outgoing.writeHead(502).end();
    return;
  }
  const target = new URL(incoming.url ?? '/', targets[(turn + failed) % targets.length]);
  const { method = 'GET', headers } = incoming;
  request(target, { method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  })
    .on('error', () => forward(forwarded, targets, turn, failed + 1))
    .end(body);
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
