import { expect, it } from 'vitest';

import { startMock as startDefined } from '../../entry/mock.js';
import { loadDocument, documentWith } from '../support/load-document.js';
import { startMock } from '../support/start-mock.js';

const HEADERS = {
  'content-type': 'application/json',
  'x-vendor-api-key': 'k',
};
const SIGNER = `Basic ${Buffer.from('key:secret').toString('base64')}`;

type Row = readonly [api: string, request: string, body: unknown, message: string, violations: number];
const REFUSED: readonly Row[] = [
  [
    ...(['generation', 'POST /v1beta/models/gemini-2.0-flash:generateContent'] as const),
    { contents: [{ parts: [{ text: 'a' }] }], generationConfig: { temperature: 9, topP: 7 } },
    ...(['generationConfig.temperature must be <= 2 (and 1 more)', 2] as const),
  ],
  ['signing', 'POST /api/v2/createcase', { Name: 1, Documents: 5 }, 'Name must be string (and 1 more)', 2],
  ['signing', 'GET /api/v2/findcases?Skip=9999&Take=99', undefined, 'Skip + Take must be <= 10000', 1],
  [
    ...(['dictionary', 'POST /dictionary/lookup?api-version=3.0&from=en&to=es', [{ Text: 1 }]] as const),
    ...(['A term is missing or not valid.', 1] as const),
  ],
  ['engine', 'GET /api/Book?$first=x', undefined, '$first must be integer', 1],
  ['tables', 'POST /bigquery/v2/projects/p/datasets/d/tables', 5, 'The body must be object', 1],
  ['notifications', 'GET /notifications?per_page=99&all=x', undefined, 'all must be boolean (and 1 more)', 2],
];

it.each(REFUSED)('%s names the first violation of %s in its message', async (api, request, body, message, count) => {
  await using mock = await startMock(api, { seed: 1 });
  const [method = '', path = ''] = request.split(' ');
  const authorization = api === 'signing' ? SIGNER : 'Bearer token';
  const init = {
    method,
    headers: { ...HEADERS, authorization },
    body: body === undefined ? null : JSON.stringify(body),
  };
  const response = await mock.fetch(`${mock.url}${path}`, init);
  const sent = (await response.json()) as Record<string, unknown>;
  const error = (sent['error'] ?? sent) as Record<string, unknown>;
  expect([response.status >= 400 && response.status < 500, error['message'] ?? error['detail']]).toEqual([
    true,
    message,
  ]);
  expect(error['violations']).toHaveLength(count);
});

it('a mock of any spec names the first violation and how many more there are', async () => {
  const amount = { type: 'integer', maximum: 9 };
  const api = await loadDocument(
    documentWith({
      '/orders': {
        post: {
          parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
          requestBody: {
            content: {
              'application/json': { schema: { properties: { lines: { items: { properties: { amount } } } } } },
            },
          },
          responses: { 201: { description: 'Created.' } },
        },
      },
    }),
  );
  await using mock = await startDefined({ api, definition: {} });
  const send = async (query: string, amounts: readonly unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ lines: amounts.map((value) => ({ amount: value })) });
    const headers = { 'content-type': 'application/json' };
    const sent = await (await mock.fetch(`${mock.url}/orders${query}`, { method: 'POST', headers, body })).json();
    return (sent as { detail?: unknown }).detail;
  };
  expect(await send('', [1, 99])).toBe('lines.1.amount must be <= 9');
  expect(await send('?dry=7', [1, 99, 'x'])).toBe('dry must be boolean (and 2 more)');
});
