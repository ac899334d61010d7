import type { ServerResponse } from 'node:http';

import { describe, expect, it, vi } from 'vitest';

import { postCallback } from '../../../server/sandbox/webhook-post.js';
import type { MockSandbox } from '../../../server/sandbox/mock-sandbox.js';
import type { HandlerContext } from '../../../server/handler-api.js';
import { type EchoServer, startEchoServer } from '../../support/echo-server.js';
import { sandboxHost, testSandbox } from '../../support/sandbox-host.js';

interface Receiver {
  readonly sandbox: MockSandbox;
  readonly context: HandlerContext;
  readonly server: EchoServer;
  /** The bodies that came, in order. */
  readonly bodies: () => unknown[];
}

/** A sandbox whose clock is stopped, and a receiver that responds with these statuses, the last one for ever. */
async function receiver(...statuses: number[]): Promise<Receiver> {
  const sandbox = testSandbox();
  await sandbox.clock.freeze(true);
  const server = await startEchoServer((_request, response: ServerResponse) => {
    response.statusCode = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
    response.end();
  });
  const bodies = (): unknown[] => server.received.map(({ body }) => JSON.parse(body.toString()) as unknown);
  return { sandbox, server, bodies, context: await sandbox.contextFor({ account: '' }) };
}

function seconds(count: number): { months: number; milliseconds: number } {
  return { months: 0, milliseconds: count * 1000 };
}

describe('callbacks', () => {
  it('callbacks arrive at once, as JSON with their headers', async () => {
    const { context, server, bodies } = await receiver();
    await using _ = server;
    await context.sendCallback({
      url: `${server.url}/hook?a=1`,
      queue: 'case',
      body: { event: 'sent' },
      headers: { 'x-event': 'sent' },
    });
    await vi.waitFor(() => expect(bodies()).toEqual([{ event: 'sent' }]));
    expect(server.last()).toMatchObject({
      method: 'POST',
      url: '/hook?a=1',
      headers: { 'content-type': 'application/json', 'x-event': 'sent' },
    });
  });

  it('callbacks of a call during a reload are delivered before clock.advance returns', async () => {
    const { sandbox, context, server, bodies } = await receiver();
    await using _ = server;
    await sandbox.adopt(sandboxHost());
    await context.sendCallback({ url: server.url, queue: 'case', body: 1 });
    await sandbox.clock.advance(seconds(0));
    expect(bodies()).toEqual([1]);
  });

  it('callbacks of one queue arrive in order, even if they are sent concurrently', async () => {
    const { sandbox, context, server, bodies } = await receiver();
    await using _ = server;
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => context.sendCallback({ url: server.url, queue: 'case', body: index })),
    );
    await sandbox.clock.advance(seconds(0));
    expect(bodies()).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('a callback is retried after 1, 5 and 30 seconds of the clock, then dropped, while those behind it wait', async () => {
    const { sandbox, context, server, bodies } = await receiver();
    await using _ = server;
    await using broken = await startEchoServer((_request, response) => response.writeHead(500).end());
    await context.sendCallback({ url: broken.url, queue: 'case', body: 'a' });
    await context.sendCallback({ url: server.url, queue: 'case', body: 'b' });
    await context.sendCallback({ url: server.url, queue: 'other', body: 'c' });
    const counts: number[][] = [];
    for (const wait of [0.9, 0.1, 4.9, 0.1, 29.9, 0.1]) {
      await sandbox.clock.advance(seconds(wait));
      counts.push([broken.received.length, server.received.length]);
    }
    expect(counts).toEqual([
      [1, 1],
      [2, 1],
      [2, 1],
      [3, 1],
      [3, 1],
      [4, 2],
    ]);
    expect(bodies()).toEqual(['c', 'b']);
    expect(sandbox.journal.entries({ violations: true })).toMatchObject([
      { method: 'MOCK', violations: [{ message: 'The receiver responded with 500.' }] },
    ]);
  });

  it('clock.advance waits for callbacks, also for those that become due during it', async () => {
    const { sandbox, context, server, bodies } = await receiver(503, 200);
    await using _ = server;
    await context.sendCallback({ url: server.url, queue: 'case', body: 'a' });
    await sandbox.clock.advance(seconds(60));
    expect(bodies()).toEqual(['a', 'a']);
    expect((await sandbox.snapshot()).collections).not.toHaveProperty('#callbacks');
  });

  it('waiting callbacks are part of a snapshot', async () => {
    const { sandbox, context, server, bodies } = await receiver(500, 200);
    await using _ = server;
    await context.sendCallback({ url: server.url, queue: 'case', body: 'a' });
    await sandbox.clock.advance(seconds(0));
    const snapshot = await sandbox.snapshot();
    await sandbox.reset();
    await sandbox.clock.advance(seconds(60));
    expect(bodies()).toEqual(['a']);
    await sandbox.restore(snapshot);
    await sandbox.clock.advance(seconds(60));
    expect(bodies()).toEqual(['a', 'a']);
  });

  it('callbacks are still delivered after a snapshot failed to be restored', async () => {
    const { sandbox, context, server, bodies } = await receiver();
    await using _ = server;
    await context.sendCallback({ url: server.url, queue: 'case', body: 'a' });
    const collections = { cases: [{ id: '1', value: Number.NaN }] };
    await expect(sandbox.restore({ collections })).rejects.toThrow('NaN');
    await sandbox.clock.advance(seconds(0));
    expect(bodies()).toEqual(['a']);
  });

  it.each([
    'http://192.0.2.1/',
    'http://[2001:db8::1]/',
    'http://0.0.0.0:9/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'nonsense',
  ])('callbacks are not sent to %s', async (url) => {
    const { sandbox, context } = await receiver();
    await context.sendCallback({ url, queue: 'case', body: null });
    await sandbox.clock.advance(seconds(0));
    expect(sandbox.journal.entries()).toMatchObject([
      { status: 500, violations: [{ message: expect.stringMatching(/not sent|no http address/) as unknown }] },
    ]);
    expect((await sandbox.snapshot()).collections).not.toHaveProperty('#callbacks');
  });

  it('a callback that cannot be stored does not throw, and is reported in the journal', async () => {
    const { sandbox, context } = await receiver();
    await context.sendCallback({ url: 'http://127.0.0.1/', queue: 'q', body: new Map() });
    expect(sandbox.journal.entries()).toHaveLength(1);
  });

  it('callbacks stop with the sandbox', async () => {
    const { sandbox, context, server } = await receiver(500);
    await using _ = server;
    await context.sendCallback({ url: server.url, queue: 'case', body: 'a' });
    await sandbox.close();
    await sandbox.clock.advance(seconds(60));
    expect(server.received.length).toBeLessThanOrEqual(1);
  });
});

describe('the address of a callback', () => {
  it.each(['localhost', '127.1', '0x7f000001', '[::ffff:127.0.0.1]'])('the host %s is this machine', async (host) => {
    await using server = await startEchoServer();
    const url = server.url.replace('127.0.0.1', host);
    const post = { url, text: '1', headers: {}, policy: 'loopback', signal: new AbortController().signal } as const;
    expect((await postCallback(post)).outcome).toBe('delivered');
  });

  it.each(['callbacks.invalid', 'localhost.invalid', 'notlocalhost', '10.0.0.1', '[2001:db8::1]'])(
    'a callback to %s is refused without a DNS lookup',
    async (host) => {
      const url = `http://${host}/hook`;
      const post = { url, text: '1', headers: {}, policy: 'loopback', signal: new AbortController().signal } as const;
      expect(await postCallback(post)).toEqual({
        outcome: 'refused',
        reason: expect.stringContaining('--callbacks any'),
      });
    },
  );

  it('a callback follows no redirects', async () => {
    await using server = await startEchoServer((_request, response) =>
      response.writeHead(307, { location: '/else' }).end(),
    );
    const post = {
      url: server.url,
      text: '1',
      headers: {},
      policy: 'any',
      signal: new AbortController().signal,
    } as const;
    expect((await postCallback(post)).outcome).toBe('failed');
    expect(server.received).toHaveLength(1);
  });

  it('a callback fails if its receiver switches protocols', async () => {
    await using server = await startEchoServer((_request, response) =>
      response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end(),
    );
    const { signal } = new AbortController();
    const result = await postCallback({ url: server.url, text: '1', headers: {}, policy: 'any', signal });
    expect(result).toEqual({ outcome: 'failed', reason: 'The receiver closed the connection without a response.' });
  });
});
