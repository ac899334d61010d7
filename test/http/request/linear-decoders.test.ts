import { expect, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const NUMBERS = documentWith({
  '/numbers': {
    get: {
      operationId: 'getNumbers',
      parameters: [{ name: 'take', in: 'query', schema: { type: 'integer' } }],
      responses: { 200: { description: 'ok' } },
    },
  },
});

/** Each of these took seconds when digits could be read in two ways; the limit of the test is the assertion. */
test.each(['1'.repeat(300_000), `+${'1'.repeat(300_000)}`, `${'1'.repeat(150_000)}.${'1'.repeat(150_000)}`])(
  'a number that ends in a letter is refused in linear time',
  { timeout: 4_000 },
  async (digits) => {
    await using mock = await startMock(await loadDocument(NUMBERS));
    const response = await mock.fetch(`http://mock/numbers?take=${digits}x`);
    expect(response.status).toBe(400);
  },
);
