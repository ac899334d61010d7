import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Mock, startMock } from '../../../entry/mock.js';
import type { ActionsOf } from '../../../server/start/mock.js';

let mock: Mock<ActionsOf<'notifications'>>;
beforeAll(async () => {
  mock = await startMock('notifications', { port: 0, vendor: 'acme' });
});
afterAll(() => mock.close());

describe.each(['socket', 'process'] as const)(
  'notifications with a vendor name, through the transport %s',
  (transport) => {
    const list = (headers: Record<string, string>): Promise<Response> =>
      (transport === 'socket' ? fetch : mock.fetch)(`${mock.url}/notifications`, {
        headers: { authorization: 'Bearer anna', ...headers },
      });

    it('the mock accepts the media type and the version header of the vendor', async () => {
      const response = await list({ accept: 'application/vnd.acme+json', 'X-Acme-Api-Version': '2026-03-10' });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      const [last] = (await mock.requests()).slice(-1);
      expect(last?.request.headers).toMatchObject({
        accept: 'application/vnd.acme+json',
        'x-acme-api-version': '2026-03-10',
      });
    });

    it.each(['application/vnd.acme.v3+json', 'application/vnd.acme.v3.raw', 'application/vnd.acme.v3.html+json'])(
      'the mock accepts a version or a format in the media type: %s',
      async (accept) => {
        expect((await list({ accept })).status).toBe(200);
      },
    );

    it.each(['application/vnd.other+json', 'application/vnd.acmes+json', 'application/vnd.vendor+json', 'text/html'])(
      'the mock responds 406 to %s',
      async (accept) => {
        expect((await list({ accept })).status).toBe(406);
      },
    );

    it('a refusal names the header by its real name', async () => {
      const response = await list({ 'X-Acme-Api-Version': '2019-01-01' });
      const text = await response.text();
      expect([response.status, JSON.parse(text)]).toMatchObject([
        400,
        { violations: [{ pointer: '/x-acme-api-version' }] },
      ]);
      expect(text).not.toMatch(/vendor/i);
    });

    it('titles of the user are not renamed', async () => {
      const title = `The vendor's X-Vendor-Api-Version: application/vnd.vendor+json (${transport})`;
      await mock.actions.notify({ owner: 'vendor', repo: 'vendor', title, type: 'Issue', reason: 'assign' });
      const threads = (await (await list({})).json()) as {
        subject: { title: string };
        repository: { full_name: string };
      }[];
      const found = threads.find(({ subject }) => subject.title === title);
      expect(found?.repository.full_name).toBe('vendor/vendor');
    });
  },
);

it('a response of Prism has the real media type', async () => {
  await using stateless = await startMock('notifications', { stateless: true, vendor: 'acme' });
  for (const accept of ['application/vnd.acme+json', 'application/vnd.acme.v3+json']) {
    const headers = { authorization: 'Bearer anna', accept };
    expect((await stateless.fetch(`${stateless.url}/notifications`, { headers })).status).toBe(200);
  }
});
