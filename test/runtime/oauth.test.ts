import { expect, it, vi } from 'vitest';

import { oauth2, type OAuth2Options, type StoredToken } from '../../runtime/oauth.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';

const CALL = { reason: 'call' } as const;

async function startTokens(
  responses: readonly (readonly [number, object])[],
  options: Partial<OAuth2Options> = {},
): Promise<{ readonly server: EchoServer; readonly token: ReturnType<typeof oauth2> }> {
  let index = 0;
  const server = await startEchoServer((_request, response) => {
    const [status, body] = responses[Math.min(index, responses.length - 1)] ?? [200, {}];
    index += 1;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return {
    server,
    token: oauth2({ tokenUrl: `${server.url}/token`, clientId: 'a:b', clientSecret: 'c d', ...options }),
  };
}

function form(server: EchoServer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(server.last().body.toString()));
}

it('sends the client credentials with HTTP Basic, form-encoded', async () => {
  const { server, token } = await startTokens([[200, { access_token: 't' }]], {
    scope: 'x y',
    parameters: { audience: 'z' },
  });
  await using _server = server;
  expect(await token(CALL)).toBe('t');
  expect(form(server)).toEqual({ grant_type: 'client_credentials', scope: 'x y', audience: 'z' });
  const { authorization = '' } = server.last().headers;
  expect(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()).toBe('a%3Ab:c+d');
});

it('sends the client credentials in the form if asked to, or if there is no secret', async () => {
  const { server, token } = await startTokens([[200, { access_token: 't' }]], { authentication: 'form' });
  await using _server = server;
  await token(CALL);
  expect(form(server)).toEqual({ grant_type: 'client_credentials', client_id: 'a:b', client_secret: 'c d' });
  expect(server.last().headers.authorization).toBeUndefined();
});

it('refreshes with the last refresh token, and keeps it if the server sends no new one', async () => {
  const { server, token } = await startTokens(
    [
      [200, { access_token: 't1', refresh_token: 'r2', expires_in: 0 }],
      [200, { access_token: 't2', expires_in: 0 }],
      [200, { access_token: 't3' }],
    ],
    { refreshToken: 'r1' },
  );
  await using _server = server;
  const sent: (string | undefined)[] = [];
  for (let count = 0; count < 3; count += 1) {
    await token(CALL);
    sent.push(form(server)['refresh_token']);
  }
  expect(sent).toEqual(['r1', 'r2', 'r2']);
  expect(form(server)['grant_type']).toBe('refresh_token');
});

it('keeps a token until shortly before it expires', async () => {
  const { server, token } = await startTokens([[200, { access_token: 't', expires_in: 600 }]]);
  await using _server = server;
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  await token(CALL);
  now.mockReturnValue(1_000_000 + 569_000);
  await token(CALL);
  expect(server.received).toHaveLength(1);
  now.mockReturnValue(1_000_000 + 571_000);
  await token(CALL);
  expect(server.received).toHaveLength(2);
});

it('replaces a refused token once for concurrent calls', async () => {
  const { server, token } = await startTokens([[200, { access_token: 't', expires_in: 600 }]]);
  await using _server = server;
  await token(CALL);
  await Promise.all([1, 2, 3].map(async () => token({ reason: 'unauthorized' })));
  expect(server.received).toHaveLength(2);
});

it('stores tokens in the storage of the caller', async () => {
  let stored: StoredToken | undefined = { accessToken: 'kept', expiresAt: Date.now() + 1000 };
  const storage = { get: async () => stored, set: async (next: StoredToken) => void (stored = next) };
  const { server, token } = await startTokens([[200, { access_token: 'new', expires_in: 100 }]], { storage });
  await using _server = server;
  expect(await token(CALL)).toBe('kept');
  expect(await token({ reason: 'unauthorized' })).toBe('new');
  expect(stored).toMatchObject({ accessToken: 'new' });
});

it('throws the error code of the token endpoint, without a secret', async () => {
  const { server, token } = await startTokens([[400, { error: 'invalid_client' }]]);
  await using _server = server;
  const error = await Promise.resolve(token(CALL)).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'OAuth2Error', status: 400, code: 'invalid_client' });
  expect(String(error)).toBe('OAuth2Error: The token endpoint responded 400: invalid_client.');
});

it('follows a redirect of the token endpoint to the same origin only, because the request has secrets', async () => {
  await using thief = await startEchoServer((_request, response) => response.end('{"access_token":"stolen"}'));
  let target = '';
  await using server = await startEchoServer(({ url }, response) => {
    if (url === '/token') response.writeHead(308, { location: target }).end();
    else response.end('{"access_token":"t"}');
  });
  for (const authentication of ['basic', 'form'] as const) {
    const options = { tokenUrl: `${server.url}/token`, clientId: 'a', clientSecret: 's', refreshToken: 'r' } as const;
    const token = oauth2({ ...options, authentication });
    for (const foreign of [thief.url, thief.url.replace('127.0.0.1', 'localhost'), '//127.0.0.1:1/x']) {
      target = foreign;
      await expect(token(CALL)).rejects.toThrow('The token endpoint responded 308.');
    }
    target = '/other';
    expect(await token(CALL)).toBe('t');
    expect(form(server)).toMatchObject({ refresh_token: 'r' });
  }
  expect(thief.received).toEqual([]);
});

it('does not follow redirects of the token endpoint without end', async () => {
  await using server = await startEchoServer((_request, response) => {
    response.writeHead(307, { location: '/token' }).end();
  });
  const token = oauth2({ tokenUrl: `${server.url}/token`, clientId: 'a' });
  await expect(token(CALL)).rejects.toThrow('The token endpoint responded 307.');
  expect(server.received.length).toBeLessThan(10);
});
