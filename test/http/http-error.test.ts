import { describe, expect, test } from 'vitest';
import { HttpError } from '../../http/http-error.js';

describe('HttpError', () => {
  test('HttpError carries status, message, details, violations, headers and its cause', () => {
    const cause = new Error('disk');
    const violations = [{ in: 'body', pointer: '/name', message: 'must be string' }] as const;
    const error = new HttpError(409, 'Taken.', {
      details: { code: 'taken' },
      violations,
      headers: { 'retry-after': '1' },
      cause,
    });
    expect(error).toMatchObject({ status: 409, message: 'Taken.', details: { code: 'taken' }, violations, cause });
    expect(error.headers).toEqual({ 'retry-after': '1' });
  });

  test('HttpError has details, violations and headers only if they are given', () => {
    expect(new HttpError(404, 'Gone.')).toMatchObject({ details: {}, violations: [], headers: {} });
  });

  test('HttpError is recognised when another copy of the package threw it', () => {
    const thrown = Object.assign(new Error('no'), { [Symbol.for('specmill.HttpError')]: true });
    expect(HttpError.is(thrown)).toBe(true);
  });

  test('HttpError.is rejects other errors and plain objects with a status', () => {
    expect(
      [new Error('no'), { status: 404, message: 'no' }, undefined, null].filter((value) => HttpError.is(value)),
    ).toEqual([]);
  });
});
