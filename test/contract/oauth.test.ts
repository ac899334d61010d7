import { describe, expect, test } from 'vitest';

import { type ContractConfig, type ContractOptions, type ContractReport, runContract } from '../../entry/contract.js';
import { loadApi } from '../../model/load-api.js';
import { tempFolder } from '../support/temp-folder.js';

const SPEC = `openapi: 3.1.0
info: { title: Notes, version: '1' }
security: [{ login: [notes] }]
paths:
  /notes:
    get:
      operationId: listNotes
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: string } } } } }
components:
  securitySchemes:
    login: { type: oauth2, flows: { clientCredentials: { tokenUrl: /oauth/token, scopes: { notes: Notes } } } }
`;

interface TokenRequest {
  readonly basic: string | null;
  readonly form: Readonly<Record<string, string>>;
}

/** A server that gives tokens, each of which lasts for some requests. */
function createServer({ lasts = Infinity, readsBasic = true, refresh = false } = {}): {
  readonly asked: TokenRequest[];
  readonly send: typeof fetch;
} {
  const asked: TokenRequest[] = [];
  let left = 0;
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).pathname === '/oauth/token') {
      const form = Object.fromEntries(new URLSearchParams(await request.text()));
      const basic = request.headers.get('authorization');
      asked.push({ basic, form });
      const isKnown = readsBasic ? basic === `Basic ${btoa('app:s%3Aecret')}` : form['client_secret'] === 's:ecret';
      if (!isKnown) return Response.json({ error: 'invalid_client' }, { status: 401 });
      left = lasts;
      return Response.json({ access_token: `token-${asked.length}`, ...(refresh ? { refresh_token: 'again' } : {}) });
    }
    if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } });
    const isGood = request.headers.get('authorization') === `Bearer token-${asked.length}` && left-- > 0;
    return isGood ? Response.json(['a']) : Response.json({ error: 'no' }, { status: 401 });
  };
  return { asked, send };
}

async function run(
  send: typeof fetch,
  oauth2: Partial<NonNullable<ContractConfig['oauth2']>> = {},
): Promise<ContractReport> {
  const folder = tempFolder({ 'notes.yaml': SPEC });
  const options: ContractOptions = { api: await loadApi(`${folder}/notes.yaml`), url: 'https://notes.example.com' };
  return runContract({
    ...options,
    fetch: send,
    maxExamples: 3,
    oauth2: { clientId: 'app', clientSecret: 's:ecret', ...oauth2 },
  });
}

describe('a run with client credentials', () => {
  test('a run with client credentials gets a token from the URL of the spec, and sends it', async () => {
    const { asked, send } = createServer();
    const report = await run(send, { scopes: ['notes'] });
    expect(report.findings).toEqual([]);
    expect(report.unreached).toEqual([]);
    expect(asked.map(({ form }) => form)).toEqual([{ grant_type: 'client_credentials', scope: 'notes' }]);
    expect(JSON.stringify(report)).not.toContain('token-1');
  });

  test('a run with client credentials gets a new token when the first expires', async () => {
    const { asked, send } = createServer({ lasts: 2 });
    const report = await run(send);
    expect(report.findings).toEqual([]);
    expect(asked.length).toBeGreaterThan(1);
  });

  test('a run with client credentials uses the refresh token of the server', async () => {
    const { asked, send } = createServer({ lasts: 2, refresh: true });
    await run(send);
    expect(asked[0]?.form['grant_type']).toBe('client_credentials');
    expect(asked[1]?.form).toEqual({ grant_type: 'refresh_token', refresh_token: 'again' });
  });

  test('a run with client credentials sends them in the form if the server requires it', async () => {
    const { send } = createServer({ readsBasic: false });
    expect((await run(send)).unreached).toEqual([]);
  });

  test('a run with client credentials ends if it gets no token, or has no token URL', async () => {
    const { send } = createServer();
    await expect(run(send, { clientSecret: 'wrong' })).rejects.toThrow('the token URL responded 401');
    await expect(run(send, { clientSecret: '' })).rejects.toThrow('The clientSecret of oauth2 is empty');
    const folder = tempFolder({ 'notes.yaml': SPEC.replace('clientCredentials', 'password') });
    const oauth2 = { clientId: 'app', clientSecret: 's:ecret' };
    const options = { spec: `${folder}/notes.yaml`, url: 'https://notes.example.com', fetch: send, oauth2 };
    await expect(runContract(options)).rejects.toThrow('give oauth2.tokenUrl');
  });
});
