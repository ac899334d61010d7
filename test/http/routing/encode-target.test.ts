import { expect, test } from 'vitest';

import { encodeTarget } from '../../../http/routing/encode-target.js';

test.each([
  ['/a/b?c=d&e=%20f', '/a/b?c=d&e=%20f'],
  ["/~x!$&'()*+,;=:@", "/~x!$&'()*+,;=:@"],
  ['/a[b]|{c}^`"<>\\\\', '/a%5Bb%5D%7C%7Bc%7D%5E%60%22%3C%3E%5C%5C'],
  ['/%zz/100%', '/%25zz/100%25'],
  ['/\u00e4/\u{1f600}/\ud800', '/%C3%A4/%F0%9F%98%80/%EF%BF%BD'],
  ['', ''],
])('%j is written in a URI as %s', (target, want) => {
  expect(encodeTarget(target)).toBe(want);
});
