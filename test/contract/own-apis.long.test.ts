import { afterAll, beforeAll, expect, it } from 'vitest';

import { BUILT_IN_APIS } from '../../config/built-in-apis.js';
import { type MockProcess, startMockProcess } from '../support/specmill-process.js';
import { findWithCommand } from './own-apis.js';

// The command itself, against mocks in another process: nothing here is the same as in the tests beside this one.
let mocks: MockProcess | undefined;

beforeAll(async () => {
  mocks = await startMockProcess('--no-rate-limit');
});
afterAll(async () => mocks?.[Symbol.asyncDispose]());

/** Fewer examples than by default, unless all tests are wanted. */
const options = process.env['SPECMILL_FULL'] === '1' ? [] : ['--max-examples', '6'];

it.each(BUILT_IN_APIS)('finds nothing in the mock of %s', { timeout: 180_000 }, async (name) => {
  expect(await findWithCommand(name, mocks, ...options)).toEqual([]);
});
