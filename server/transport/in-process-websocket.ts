import type { OpenSocket } from '../pipeline/create-socket-pipeline.js';
import type { MockRequest } from '../../http/messages.js';
import { createWholeBody } from '../../http/wire/request-body.js';
import { type TransportOptions, sandboxOfRequest } from './dispatch.js';
import { readTarget } from './parse-url.js';
import { MemorySocket } from './websocket-pair.js';

/** Opens a WebSocket to a mock in the same process. The origin of the URL is ignored. */
export type OpenWebSocket = (url: string | URL, protocols?: string | readonly string[]) => WebSocket;

export interface FetchSocketOptions extends Pick<TransportOptions, 'sandboxOf'> {
  readonly sockets: OpenSocket;
}

export interface FetchSockets {
  readonly open: (sandbox: string) => OpenWebSocket;
  /** Closes all open WebSockets, like a server that shuts down. */
  readonly close: () => void;
}

const GOING_AWAY = 1001;

/**
 * Creates WebSockets that the mock handles in process.
 *
 * @example
 * const sockets = createFetchSockets({ sockets: openSocket, sandboxOf });
 * const webSocket = sockets.open('default');
 * webSocket('ws://mock/live').addEventListener('message', ({ data }) => console.log(data));
 */
export function createFetchSockets(options: FetchSocketOptions): FetchSockets {
  const all = new Set<MemorySocket>();
  const open =
    (sandbox: string): OpenWebSocket =>
    (url, protocols = []) => {
      const address = checkUrl(url);
      const socket = new MemorySocket(address);
      all.add(socket);
      socket.addEventListener('close', () => all.delete(socket));
      void connect(socket, toRequest(address, { sandbox, protocols: [protocols].flat(), socket }), options);
      // Cast: the events are the platform's, but Node 20 lacks their types.
      return socket as unknown as WebSocket;
    };
  return {
    open,
    close: () => {
      for (const socket of all) socket.server.close(GOING_AWAY, 'The mock was closed.');
    },
  };
}

/** Checks a URL like the platform: http means ws, and a fragment is an error. */
function checkUrl(url: string | URL): string {
  const text = String(url);
  if (URL.canParse(text) && /^(?:ws|http)s?:$/.test(new URL(text).protocol) && !text.includes('#'))
    return text.replace(/^http/i, 'ws');
  throw new DOMException('A WebSocket is opened at an absolute ws or wss address without a fragment.', 'SyntaxError');
}

interface RequestParts {
  readonly sandbox: string;
  readonly protocols: readonly string[];
  readonly socket: MemorySocket;
}

function toRequest(url: string, { sandbox, protocols, socket }: RequestParts): MockRequest {
  const { host, target } = readTarget(url);
  const gone = new AbortController();
  socket.addEventListener('close', () => gone.abort());
  return {
    method: 'GET',
    target,
    headers: {
      host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'x-specmill-sandbox': sandbox,
      ...(protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') }),
    },
    ...createWholeBody(new Uint8Array()),
    remoteAddress: '127.0.0.1',
    signal: gone.signal,
  };
}

async function connect(
  socket: MemorySocket,
  request: MockRequest,
  { sockets, sandboxOf }: FetchSocketOptions,
): Promise<void> {
  try {
    const { sandbox, problem } = sandboxOfRequest(request, sandboxOf);
    const opened = sandbox === undefined ? { ok: false as const, response: problem } : await sockets(request, sandbox);
    if (!opened.ok) {
      socket.fail(new Error(`The mock responded with ${opened.response.status} instead of opening a WebSocket.`));
      return;
    }
    const [protocol = ''] = [request.headers['sec-websocket-protocol'] ?? []].flat();
    if (!socket.open(protocol.split(',')[0] ?? '')) return;
    await opened.serve(socket.server);
    socket.server.close(1000, '');
  } catch (error) {
    socket.fail(error instanceof Error ? error : new Error(String(error)));
  }
}
