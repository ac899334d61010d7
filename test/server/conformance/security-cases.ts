import { type ConformanceCase, operation } from './conformance-case.js';

const SCHEMES = {
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic' },
      bearer: { type: 'http', scheme: 'bearer' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      tls: { type: 'mutualTLS' },
    },
  },
};

function secured(security: readonly object[]): object {
  return operation('get', '/x', { security }, SCHEMES);
}

function authorization(value: string): RequestInit {
  return { headers: { authorization: value } };
}

function basic(text: string): RequestInit {
  return authorization(`Basic ${Buffer.from(text).toString('base64')}`);
}

type Row = readonly [name: string, security: readonly object[], target: string, init: RequestInit, status: number];
const ROWS: readonly Row[] = [
  ['a Basic password with a colon', [{ basic: [] }], '/x', basic('me:a:b:c'), 200],
  ['no Basic credential', [{ basic: [] }], '/x', {}, 401],
  ['a malformed Basic credential', [{ basic: [] }], '/x', authorization('Basic !!!'), 401],
  ['bearer in lower case', [{ bearer: [] }], '/x', authorization('bearer abc'), 200],
  ['an empty Bearer', [{ bearer: [] }], '/x', authorization('Bearer '), 401],
  ['a key in a header', [{ header: [] }], '/x', { headers: { 'x-key': 'k' } }, 200],
  ['a key in the query', [{ query: [] }], '/x?key=k', {}, 200],
  ['a key in a cookie', [{ cookie: [] }], '/x', { headers: { cookie: 'sid=1' } }, 200],
  ['an empty alternative demands nothing', [{ header: [] }, {}], '/x', {}, 200],
  ['two at once', [{ header: [], query: [] }], '/x?key=k', {}, 401],
  ['either of two', [{ header: [] }, { query: [] }], '/x?key=k', {}, 200],
  ['mutual TLS without a certificate', [{ tls: [] }], '/x', {}, 401],
];

export const SECURITY_CASES: readonly ConformanceCase[] = ROWS.map(([name, security, target, init, status]) => ({
  group: 'security',
  name,
  document: secured(security),
  target,
  init,
  status,
}));
