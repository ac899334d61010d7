import type { StandardSchemaV1 } from '@standard-schema/spec';
import { expect, expectTypeOf, test } from 'vitest';

import type { Case, GetcaseRequest } from '../../generated/signing/types.js';
import { validateCase, validateGetcaseRequest, validateGetcaseResponse } from '../../generated/signing/validators.js';

/** What a library does that knows the standard and nothing of us. */
function check<Schema extends StandardSchemaV1>(
  schema: Schema,
  value: unknown,
): StandardSchemaV1.Result<StandardSchemaV1.InferOutput<Schema>> {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise) throw new TypeError('the schema is asynchronous');
  return result;
}

test('a generated validator is a Standard Schema of its type', () => {
  expectTypeOf<StandardSchemaV1.InferOutput<typeof validateCase>>().toEqualTypeOf<Case>();
  expectTypeOf<StandardSchemaV1.InferInput<typeof validateCase>>().toEqualTypeOf<Case>();
  expectTypeOf<StandardSchemaV1.InferOutput<typeof validateGetcaseRequest>>().toEqualTypeOf<GetcaseRequest>();
  expect(check(validateGetcaseRequest, {})).toHaveProperty('issues');
  expect(check(validateCase, { Name: 'a' })).toEqual({ value: { Name: 'a' } });
});

test('issues of a generated validator have a message and a path', () => {
  expect(check(validateCase, { Parties: [{ Name: 7 }] })).toEqual({
    issues: [{ message: 'must be string', path: ['Parties', 0, 'Name'] }],
  });
  expect(check(validateGetcaseResponse, 'nothing')).toMatchObject({ issues: [{ path: ['status'] }] });
});
