import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Mock, startMock } from '../../entry/mock.js';
import { talk } from '../proxy/proxied-server.js';
import { documentWith, loadDocument } from '../support/load-document.js';

const any = { 'application/json': { schema: {} } };
const DOCUMENT = documentWith({
  '/any': {
    post: {
      operationId: 'sendAny',
      requestBody: { content: any },
      responses: { 200: { description: 'ok', content: { 'application/json': { example: 1 } } } },
    },
  },
});

const MB = 1_024 * 1_024;
let mock: Mock;
beforeAll(async () => {
  mock = await startMock(await loadDocument(DOCUMENT), { port: 0, validate: 'error' });
});
afterAll(() => mock.close());

/** Limits that docs/security.md lists, where no option sets others. */
describe('a mock', () => {
  it.each([
    ['POST /any', 100 * MB],
    ['PUT /__specmill/state', 64 * MB],
  ])('refuses a larger body before it is sent: %s', async (line, most) => {
    const head = `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    const statusOf = async (length: number, patience: number): Promise<string | undefined> =>
      /^HTTP\/1\.1 (\d+)/.exec(await talk(mock.url, `${head}Content-Length: ${length}\r\n\r\n{`, patience))?.[1];
    expect([await statusOf(most + 1, 10_000), await statusOf(most, 300)]).toEqual(['413', undefined]);
  });

  it('refuses a body that expands to more than 100 MB', async () => {
    const body = gzipSync(Buffer.concat([randomBytes(1_100_000), Buffer.alloc(100 * MB)]), { level: 1 });
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(body.length).toBeGreaterThan(1_000_000);
    expect((await mock.fetch(`${mock.url}/any`, { method: 'POST', headers, body })).status).toBe(413);
  });

  it.each([
    ['lists', '[', '', ']'],
    ['objects', '{"a":', '1', '}'],
  ])('reads 512 levels of %s, and not 513', async (_what, open, inner, close) => {
    const statusOf = async (levels: number): Promise<number> => {
      const body = open.repeat(levels) + inner + close.repeat(levels);
      const headers = { 'content-type': 'application/json' };
      return (await mock.fetch(`${mock.url}/any`, { method: 'POST', headers, body })).status;
    };
    expect([await statusOf(512), await statusOf(513)]).toEqual([200, 400]);
  });
});
