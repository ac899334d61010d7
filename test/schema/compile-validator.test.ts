import { describe, expect, test } from 'vitest';

import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import type { Schema } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { buildApi } from '../support/build-api.js';
import { CASE_SCHEMAS, KEYWORD_CASES } from '../support/keyword-cases.js';

const api = buildApi({ schemas: CASE_SCHEMAS });

describe.each(KEYWORD_CASES)('$rule', ({ schema, accepts, refuses }) => {
  const validate = compileValidator(api, schema, { direction: 'response' });

  test.each(accepts.map((value) => [value]))('accepts %j', (value) => {
    expect(validate(value)).toEqual([]);
  });
  test.each(refuses.map((value) => [value]))('refuses %j', (value) => {
    expect(validate(value)).not.toEqual([]);
  });
});

describe('errors', () => {
  test('point into the value, through references', () => {
    const validate = compileValidator(api, { $ref: '#/$defs/Tree' }, { direction: 'response' });

    expect(validate({ value: 1, children: [{ value: 'x' }] })).toEqual([
      { pointer: '/children/0/value', message: 'must be number', keyword: 'type', params: { type: 'number' } },
    ]);
  });

  test('escape names as RFC 6901 asks', () => {
    const validate = compileValidator(
      api,
      { additionalProperties: false, properties: { 'a/b~': { type: 'null' } } },
      { direction: 'response' },
    );

    expect(validate({ 'a/b~': 1 }).map(({ pointer }) => pointer)).toEqual(['/a~1b~0']);
  });

  test('name our own keywords by those of the document', () => {
    const validate = compileValidator(api, { enum: ['a'], 'x-enum-any-case': true }, { direction: 'request' });

    expect(validate('A')).toEqual([]);
    expect(validate('b')).toMatchObject([{ keyword: 'enum', params: { allowedValues: ['a'] } }]);
  });
});

describe('what cannot be checked exactly is reported', () => {
  const cases: readonly (readonly [string, Schema, Readonly<Record<string, Schema>>, string, string])[] = [
    ['no pattern at all', { pattern: '(' }, {}, 'pattern-invalid', '/pattern'],
    [
      'a pattern that is valid only without u',
      { items: { pattern: '[\\w-.]' } },
      {},
      'pattern-not-unicode',
      '/items/pattern',
    ],
    ['a pattern of member names', { patternProperties: { '(': true } }, {}, 'pattern-invalid', '/patternProperties/('],
    ['an unknown format', { format: 'colour' }, {}, 'format-unknown', '/format'],
    [
      'contains in a branch below unevaluatedItems',
      { allOf: [{ contains: true }], unevaluatedItems: false },
      {},
      'keyword-inexact',
      '/allOf/0/contains',
    ],
    ['a reference to nothing', { $ref: '#/$defs/Nothing' }, {}, 'schema-not-compiled', '/$ref'],
    [
      'a schema that is itself',
      { $ref: '#/$defs/A' },
      { A: { anyOf: [{ $ref: '#/$defs/B' }] }, B: { not: { $ref: '#/$defs/A' } } },
      'schema-not-compiled',
      '/$defs/A/anyOf/0/$ref',
    ],
  ];

  test.each(cases)('%s', (_rule, schema, schemas, code, pointer) => {
    const reported: Diagnostic[] = [];
    const validate = compileValidator(buildApi({ schemas }), schema, {
      direction: 'response',
      report: (diagnostic) => reported.push(diagnostic),
    });
    validate([]);

    expect(reported).toContainEqual(expect.objectContaining({ code, pointer }));
  });

  test('what is checked without the u flag still works', () => {
    const validate = compileValidator(api, { pattern: '^[\\w-.]$' }, { direction: 'response' });

    expect(validate('-')).toEqual([]);
    expect(validate('/')).not.toEqual([]);
  });
});
