import { describe, expect, it } from 'vitest';

import { writeCredentials } from '../../runtime/credentials.js';
import { writeKeyQuery } from '../../runtime/serialize.js';
import { MalformedBodyError, NetworkError, TimeoutError } from '../../runtime/errors.js';
import {
  type LiveOptions,
  type LivePlan,
  type LiveSession,
  openLiveSession,
  SessionClosedError,
} from '../../runtime/live-session.js';
import { collect } from '../support/helper-call.js';
import {
  connectSocket,
  type ServerSocket,
  startWebSocketServer,
  type WebSocketServerHandle,
} from '../support/web-socket-server.js';

const PLAN: LivePlan = {
  operation: { name: 'live', path: '/ws', security: [{ key: writeKeyQuery('key') }], authorize: writeCredentials },
  setup: '/setup',
  ready: '/setupComplete',
  goAway: '/goAway',
  resumption: { handle: '/update/handle', resume: '/setup/resumption/handle' },
};

type Message = Readonly<Record<string, unknown>>;
type Session = LiveSession<object, Message, Message>;
type ReceivedResponse = Parameters<typeof startWebSocketServer>[0];

/** Says that it is ready, then handles each `ask` with `reply`. */
function ready(response: (ask: unknown, socket: ServerSocket) => void = () => undefined): ReceivedResponse {
  return (message, socket) => {
    if (message['setup'] !== undefined) socket.send('{"setupComplete":{}}');
    else response(message['ask'], socket);
  };
}

function open(server: WebSocketServerHandle, options: LiveOptions = {}): Promise<Session> {
  const context = { baseUrl: server.url, credentials: { key: 'se cret' } };
  return openLiveSession<object, Message, Message>(context, PLAN, {
    setup: { model: 'm' },
    options: { webSocket: connectSocket, ...options },
  });
}

async function next(session: Session): Promise<Message | undefined> {
  return (await session[Symbol.asyncIterator]().next()).value;
}

describe('the order', () => {
  it('a session sends the key in the URL and the setup, waits for ready, and passes messages of both sides', async () => {
    await using server = await startWebSocketServer(
      ready((ask, socket) => socket.send(JSON.stringify({ response: ask }))),
    );
    const session = await open(server);
    expect([server.urls, server.messages]).toEqual([['/ws?key=se%20cret'], [{ setup: { model: 'm' } }]]);
    session.send({ ask: 1 });
    session.send({ ask: 2 });
    expect([await next(session), await next(session)]).toEqual([{ response: 1 }, { response: 2 }]);
    session.close();
  });

  it('a second setup is refused and not sent', async () => {
    await using server = await startWebSocketServer(ready());
    const session = await open(server);
    expect(() => session.send({ setup: {} })).toThrow(TypeError);
    session.close();
    expect(server.messages).toHaveLength(1);
  });

  it('messages that are sent before the server is ready are sent later', async () => {
    await using server = await startWebSocketServer((_message, socket) => {
      socket.send('{"hello":1}');
      socket.send('{"setupComplete":{}}');
    });
    const session = await open(server);
    expect(await next(session)).toEqual({ hello: 1 });
    session.close();
  });
});

describe('messages', () => {
  const burst = ready((_ask, socket) => {
    for (const text of ['{"n":1}', '{"n":2}', '{"n":3,"last":true}']) socket.send(text);
    socket.send(new TextEncoder().encode('{"n":4,"text":"größer"}'), { binary: true });
    socket.close(1000);
  });

  it('messages wait until they are read, in loops that can be left and started again, also in binary frames', async () => {
    await using server = await startWebSocketServer(burst);
    const session = await open(server);
    session.send({ ask: 1 });
    const turn: unknown[] = [];
    for await (const message of session) {
      turn.push(message['n']);
      if (message['last'] === true) break;
    }
    expect(turn).toEqual([1, 2, 3]);
    expect(await collect(session)).toEqual({ values: [{ n: 4, text: 'größer' }], error: undefined });
    expect(() => session.send({ ask: 2 })).toThrow(NetworkError);
  });

  it('messages that arrived before the server closed with an error are yielded first', async () => {
    await using server = await startWebSocketServer(
      ready((_ask, socket) => {
        socket.send('{"n":1}');
        socket.close(1008, 'token expired');
      }),
    );
    const session = await open(server);
    session.send({ ask: 1 });
    const { values, error } = await collect(session);
    expect(values).toEqual([{ n: 1 }]);
    expect(error).toBeInstanceOf(SessionClosedError);
    expect(error).toMatchObject({ code: 1008, reason: 'token expired' });
  });

  it('a connection that breaks off is an error', async () => {
    await using server = await startWebSocketServer(ready((_ask, socket) => socket.terminate()));
    const session = await open(server);
    session.send({ ask: 1 });
    expect((await collect(session)).error).toMatchObject({ name: 'SessionClosedError', code: 1006 });
  });

  it('a message that is not JSON ends the session', async () => {
    await using server = await startWebSocketServer(ready((_ask, socket) => socket.send('oops')));
    const session = await open(server);
    session.send({ ask: 1 });
    expect((await collect(session)).error).toBeInstanceOf(MalformedBodyError);
  });

  it('a closed session yields no messages and no error', async () => {
    await using server = await startWebSocketServer(ready());
    const session = await open(server);
    const reading = collect(session);
    session.close();
    session.close();
    expect(await reading).toEqual({ values: [], error: undefined });
  });
});

describe('opening fails', () => {
  it.each<[string, ReceivedResponse, LiveOptions, new (...args: never[]) => Error]>([
    [
      'the server closes with an error instead',
      (_message, socket) => socket.close(1007, 'bad setup'),
      {},
      SessionClosedError,
    ],
    ['the server closes normally instead', (_message, socket) => socket.close(1000), {}, SessionClosedError],
    ['the server is never ready', () => undefined, { timeout: 80 }, TimeoutError],
    [
      'the address does not exist',
      () => undefined,
      { webSocket: () => connectSocket('ws://127.0.0.1:1/') },
      NetworkError,
    ],
    [
      'the platform refuses',
      () => undefined,
      {
        webSocket: () => {
          throw new SyntaxError('ws://x/?key=secret');
        },
      },
      NetworkError,
    ],
  ])('opening fails: %s', async (_what, response, options, wanted) => {
    await using server = await startWebSocketServer(response);
    const error: unknown = await open(server, options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(wanted);
    expect((error as Error).message).not.toContain('secret');
  });

  it('the signal ends a session before, during and after opening', async () => {
    const reason = new Error('enough');
    await using server = await startWebSocketServer(ready());
    await expect(open(server, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const session = await open(server, { signal: controller.signal, timeout: 5000 });
    const reading = collect(session);
    controller.abort(reason);
    expect(await reading).toEqual({ values: [], error: reason });
  });
});

describe('resuming', () => {
  it('a session keeps the last handle, announces that the server goes away, and is resumed in a new session', async () => {
    await using server = await startWebSocketServer((message, socket, connection) => {
      if (message['setup'] === undefined) return;
      socket.send('{"setupComplete":{}}');
      if (connection > 1) return;
      for (const handle of ['h1', 'h2', '']) socket.send(JSON.stringify({ update: { handle } }));
      socket.send('{"goAway":{"timeLeft":"5s"}}');
    });
    const first = await open(server);
    for await (const message of first) if (message['goAway'] !== undefined) break;
    expect([first.handle, first.goAway]).toEqual(['h2', { timeLeft: '5s' }]);
    const second = await first.resume();
    expect(server.messages).toEqual([
      { setup: { model: 'm' } },
      { setup: { model: 'm', resumption: { handle: 'h2' } } },
    ]);
    expect(second.handle).toBe('h2');
    expect(await collect(first)).toEqual({ values: [], error: undefined });
    second.close();
  });

  it('resuming without a handle is refused', async () => {
    await using server = await startWebSocketServer(ready());
    const session = await open(server);
    await expect(session.resume()).rejects.toBeInstanceOf(TypeError);
    session.close();
  });
});
