import { api } from '../stories/customers.js';

const plainFetch = globalThis.fetch;

export default {
  // A story chooses a scenario of the mock by `parameters: { scenario: 'no customers' }`.
  beforeEach({ parameters: { scenario } }) {
    globalThis.fetch = (url, init = {}) => {
      const isForMock = scenario !== undefined && typeof url === 'string' && url.startsWith(api);
      const headers = { ...init.headers, ...(isForMock ? { 'X-Specmill-Scenario': scenario } : {}) };
      return plainFetch(url, { ...init, headers });
    };
    return () => {
      globalThis.fetch = plainFetch;
    };
  },
};
