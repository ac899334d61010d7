import { expect, test } from 'vitest';

import type { Exchange } from '../../../contract/types.js';
import { findAddress, readSource } from '../../../contract/reproduction/capture.js';

function respond(headers: Record<string, string>, json: unknown = {}): Exchange {
  const request = { method: 'POST', url: 'http://127.0.0.1/api/books?draft=true', headers: {} };
  return { request, status: 201, headers: new Headers(headers), text: JSON.stringify(json), json, durationMs: 1 };
}

test.each(['/api/books/7', 'books/7', 'http://127.0.0.1/api/books/7'])(
  'an address is taken from the Location of a response, also from a relative one: %s',
  (location) => {
    const source = findAddress('http://127.0.0.1/api/books/7', respond({ location }), ['location']);
    const next = location.replace('7', '8');
    expect(source && readSource(source, respond({ location: next }))).toBe(
      location.startsWith('http') ? next : 'http://127.0.0.1/api/books/8',
    );
  },
);

test('an address is taken from a link with a relation, also from a relative one', () => {
  const link = '<?page=2>; rel="next", </api/books?page=9>; rel="last"';
  const source = findAddress('http://127.0.0.1/api/books?page=9', respond({ link }), []);
  expect(source).toMatchObject({ in: 'header', name: 'link', relation: 'last' });
  const next = '<http://127.0.0.1/api/books?page=3>; rel="last"';
  expect(source && readSource(source, respond({ link: next }))).toBe('http://127.0.0.1/api/books?page=3');
});

test('an address is taken from a link in the body', () => {
  const source = findAddress('http://127.0.0.1/api/books?page=2', respond({}, { links: { next: '?page=2' } }), []);
  expect(source).toMatchObject({ in: 'body', pointer: '/links/next' });
  expect(source && readSource(source, respond({}, { links: { next: '?page=3' } }))).toBe(
    'http://127.0.0.1/api/books?page=3',
  );
});
