import TextTranslationClient, { isUnexpected } from '@azure-rest/ai-translation-text';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mock, startMock } from '../../entry/mock.js';

let mock: Mock;

beforeAll(async () => {
  mock = await startMock('dictionary', { port: 0 });
});
afterAll(() => mock.close());

type Credential = Parameters<typeof TextTranslationClient>[1];

const credentials: Readonly<Record<string, NonNullable<Credential>>> = {
  'a key': { key: 'key-1' },
  'a key of a region': { key: 'key-1', region: 'westeurope' },
};

it.each(Object.entries(credentials))('the library looks words up with %s', async (_name, credential) => {
  const client = TextTranslationClient(mock.url, credential, { allowInsecureConnection: true });
  const response = await client.path('/dictionary/lookup').post({
    body: [{ text: 'House' }, { text: 'flibbertyjib' }],
    queryParameters: { from: 'en', to: 'de' },
    headers: { 'X-ClientTraceId': '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
  });
  if (isUnexpected(response)) throw new Error(response.body.error.message);
  const [house, unknown] = response.body;
  expect(house?.translations[0]).toMatchObject({ displayTarget: 'Haus', posTag: 'NOUN', prefixWord: 'das' });
  expect(unknown?.translations).toEqual([]);
  expect(response.headers['x-requestid']).toEqual(expect.any(String));
});

it('the library gets the code of an error response', async () => {
  const client = TextTranslationClient(mock.url, { key: 'key-1' }, { allowInsecureConnection: true });
  const response = await client.path('/dictionary/lookup').post({
    body: [{ text: 'House' }],
    queryParameters: { from: 'de', to: 'fr' },
  });
  expect(response.status).toBe('400');
  expect(isUnexpected(response) ? response.body.error : response).toMatchObject({
    code: 400_023,
    message: expect.any(String),
  });
});
