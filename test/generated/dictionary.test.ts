import { describe, expect, it } from 'vitest';

import { createDictionaryClient, isDictionaryError } from '../../generated/dictionary/index.js';
import { lookupDictionaryExamples } from '../../generated/dictionary/examples.js';
import { startEchoServer } from '../support/echo-server.js';

const results = Object.values(lookupDictionaryExamples.responses[200])[0];

describe('the dictionary client', () => {
  it('the dictionary client sends the terms with query, key and trace id', async () => {
    await using server = await startEchoServer((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'x-requestid': 'r-1' })
        .end(JSON.stringify(results));
    });
    const client = createDictionaryClient({ baseUrl: `${server.url}/`, credentials: { subscriptionKey: 'k1' } });
    const { data, headers } = await client.lookupDictionary(
      { query: { 'api-version': '3.0', from: 'en', to: 'es' }, body: [{ Text: 'fly' }] },
      { validate: true },
    );
    expect(data).toEqual(results);
    expect(headers['x-requestid']).toBe('r-1');
    expect(server.last().url).toBe('/dictionary/lookup?api-version=3.0&from=en&to=es');
    expect(server.last().headers['ocp-apim-subscription-key']).toBe('k1');
  });

  it('the dictionary client throws a documented failure that has its status', async () => {
    const body = Object.values(lookupDictionaryExamples.responses[401])[0];
    await using server = await startEchoServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const client = createDictionaryClient({ baseUrl: server.url });
    const call = client.lookupDictionary({
      query: { 'api-version': '3.0', from: 'en', to: 'es' },
      body: [{ text: 'fly' }],
    });
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    if (!isDictionaryError(error, 'lookupDictionary')) throw error;
    expect([error.status, error.body]).toEqual([401, body]);
  });
});
