import { expect, test } from 'vitest';

import { checkResponse } from '../../entry/contract.js';
import { receivedJson } from '../../contract/received-json.js';
import { loadFormatsApi } from '../support/formats-spec.js';

const TYPE = 'application/json';

test.each([
  ['members', `{${Array.from({ length: 17_000 }, (_, index) => `"k${index}":1`).join()}}`],
  ['wide integers', `[${'12345678901234567891,'.repeat(26_000)}0]`],
  ['levels', '['.repeat(2_000)],
])('a JSON response of too many %s is not read, and the check of the body says so', async (_what, text) => {
  expect(receivedJson(text, TYPE)).toBeUndefined();
  const response = new Response(text, { headers: { 'content-type': TYPE } });
  const found = await checkResponse({ api: await loadFormatsApi(), operation: 'sendFormat', response });
  expect(found.map(({ message }) => message)).toEqual([expect.stringMatching(/^The body must NOT (have|be nested)/)]);
});

test('other JSON responses are read with all digits of their integers', () => {
  expect(receivedJson('[12345678901234567891]', `${TYPE}; charset=utf-8`)).toEqual([12345678901234567891n]);
  expect(receivedJson('[1]', 'text/plain')).toBeUndefined();
  expect(receivedJson('[1', TYPE)).toBeUndefined();
});
