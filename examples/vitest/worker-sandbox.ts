import { inject } from 'vitest';

import { createSigningClient, type SigningClient } from '../../generated/signing/client.js';

const baseUrl = inject('mockUrl');
/** vitest numbers its workers: each has its own state in the mock, and none sees the calls of another. */
const headers = { 'x-specmill-sandbox': `worker-${process.env['VITEST_POOL_ID'] ?? ''}` };

export const client: SigningClient = createSigningClient({
  baseUrl,
  headers,
  credentials: { basic: { key: 'my-key', secret: 'my-secret' } },
});

/** Asks for a route of the mock's control interface, in the sandbox of this worker. */
export async function control(method: string, route: string, body?: object): Promise<unknown> {
  const response = await fetch(`${baseUrl}/__specmill/${route}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
}

/** Creates a case that can be sent, and gives its id. */
export async function createCase(name: string): Promise<string> {
  const { data } = await client.createcase({
    body: {
      Name: name,
      Parties: [{ Id: 'ingrid', Name: 'Ingrid Holm', EmailAddress: 'ingrid.holm@example.com' }],
      Documents: [
        { Id: 'contract', Filename: 'contract.pdf', ContentType: 'application/pdf', Data: 'JVBERi0xLjQKJUVPRgo=' },
      ],
      AllowedSignatureTypes: ['touch'],
      ExpireAfterDays: 14,
    },
  });
  return data.Id;
}
