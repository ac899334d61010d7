import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { describe, expect, test } from 'vitest';

import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import type { Schema } from '../../model/schema-types.js';
import { ModuleScope } from '../../schema/compile/module-scope.js';
import { printCheck } from '../../schema/compile/print-check.js';
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
  test('errors point into the value, through references', () => {
    const validate = compileValidator(api, { $ref: '#/$defs/Tree' }, { direction: 'response' });

    expect(validate({ value: 1, children: [{ value: 'x' }] })).toEqual([
      { pointer: '/children/0/value', message: 'must be number', keyword: 'type', params: { type: 'number' } },
    ]);
  });

  test('an error for an enum with a type reports both keywords', () => {
    const errors = compileValidator(api, { type: 'string', enum: ['a', 'b'] }, { direction: 'response' })(1);

    expect(errors.map(({ keyword, params }) => [keyword, params])).toEqual([
      ['type', { type: 'string' }],
      ['enum', { allowedValues: ['a', 'b'] }],
    ]);
  });

  test('errors in lists and maps of a named schema have all keywords and pointers', () => {
    const named = buildApi({ schemas: { Word: { type: 'string', minLength: 2 } } });
    const word: Schema = { $ref: '#/$defs/Word' };
    const schema: Schema = {
      properties: {
        list: { type: 'array', items: word },
        map: { type: 'object', additionalProperties: word },
        open: { items: word },
      },
    };
    const validate = compileValidator(named, schema, { direction: 'response' });
    const placesOf = (value: unknown): string[] =>
      validate(value).map(({ pointer, message }) => `${pointer} ${message}`);

    expect(placesOf({ list: ['ab', 'a', 1], map: { 'a/b~': 'a', c: 'cc' }, open: {} })).toEqual([
      '/list/1 must NOT have fewer than 2 characters',
      '/list/2 must be string',
      '/map/a~1b~0 must NOT have fewer than 2 characters',
    ]);
    expect(placesOf({ list: {}, map: [], open: [1] })).toEqual([
      '/list must be array',
      '/map must be object',
      '/open/0 must be string',
    ]);
  });

  test('pointers of errors escape names (RFC 6901)', () => {
    const validate = compileValidator(
      api,
      { additionalProperties: false, properties: { 'a/b~': { type: 'null' } } },
      { direction: 'response' },
    );

    expect(validate({ 'a/b~': 1 }).map(({ pointer }) => pointer)).toEqual(['/a~1b~0']);
  });

  test('an error of our own keyword has the name of the keyword in the document', () => {
    const validate = compileValidator(api, { enum: ['a'], 'x-enum-any-case': true }, { direction: 'request' });

    expect(validate('A')).toEqual([]);
    expect(validate('b')).toMatchObject([{ keyword: 'enum', params: { allowedValues: ['a'] } }]);
  });
});

describe('members that exclude each other are named', () => {
  test.each<readonly [not: Schema, value: unknown, message: string]>([
    [{ required: ['a', 'b'] }, { a: 1, b: 1 }, "must NOT have 'a' and 'b' together"],
    [{ required: ['a'] }, { a: 1 }, "must NOT have property 'a'"],
    [
      { anyOf: [{ required: ['a', 'b'] }, { required: ['c'] }] },
      { c: 1 },
      "must NOT have 'a' and 'b' together, or property 'c'",
    ],
    [{ required: ['`${a}`\n'] }, { '`${a}`\n': 1 }, "must NOT have property '`${a}`\n'"],
    [{ required: ['a'], minProperties: 2 }, { a: 1, b: 1 }, 'must NOT be valid'],
    [{ anyOf: [{ required: ['a'] }, { type: 'object' }] }, {}, 'must NOT be valid'],
  ])('members that exclude each other are named: %j', (not, value, message) => {
    const validate = compileValidator(api, { not }, { direction: 'request' });

    expect(validate(value).map((error) => error.message)).toEqual([message]);
  });
});

describe('keywords that cannot be checked exactly are reported', () => {
  interface ReportCase {
    readonly rule: string;
    readonly schema: Schema;
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly code: string;
    readonly pointer: string;
  }
  const cases: readonly ReportCase[] = [
    { rule: 'no pattern at all', schema: { pattern: '(' }, code: 'pattern-invalid', pointer: '/pattern' },
    {
      rule: 'a pattern that is valid only without u',
      schema: { items: { pattern: '[\\w-.]' } },
      code: 'pattern-not-unicode',
      pointer: '/items/pattern',
    },
    {
      rule: 'a pattern of member names',
      schema: { patternProperties: { '(': true } },
      code: 'pattern-invalid',
      pointer: '/patternProperties/(',
    },
    { rule: 'an unknown format', schema: { format: 'colour' }, code: 'format-unknown', pointer: '/format' },
    {
      rule: 'a reference to nothing',
      schema: { $ref: '#/$defs/Nothing' },
      code: 'schema-not-compiled',
      pointer: '/$ref',
    },
    {
      rule: 'a schema that is itself',
      schema: { $ref: '#/$defs/A' },
      schemas: { A: { anyOf: [{ $ref: '#/$defs/B' }] }, B: { not: { $ref: '#/$defs/A' } } },
      code: 'schema-not-compiled',
      pointer: '/$defs/A/anyOf/0/$ref',
    },
  ];

  test.each(cases)(
    'keywords that cannot be checked exactly are reported: $rule',
    ({ schema, schemas = {}, code, pointer }) => {
      const reported: Diagnostic[] = [];
      const report = (diagnostic: Diagnostic): unknown => reported.push(diagnostic);
      compileValidator(buildApi({ schemas }), schema, { direction: 'response', report })([]);

      expect(reported).toContainEqual(expect.objectContaining({ code, pointer }));
    },
  );

  test('a pattern that is invalid with the u flag is still checked', () => {
    const validate = compileValidator(api, { pattern: '^[\\w-.]$' }, { direction: 'response' });

    expect(validate('-')).toEqual([]);
    expect(validate('/')).not.toEqual([]);
  });
});

test('the cached validator of a schema does not keep the function that receives its diagnostics', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const schema: Schema = { type: 'string' };
  const compile = (): WeakRef<object> => {
    const report = (): void => undefined;
    compileValidator(api, schema, { direction: 'response', report })('a');
    return new WeakRef(report);
  };
  const report = compile();
  // A WeakRef keeps its target until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(report.deref()).toBeUndefined();
});

test.each(KEYWORD_CASES)('the code that tests a value adds no errors: $rule', ({ schema }) => {
  const scope = new ModuleScope('test');
  const api = buildApi({ schemas: CASE_SCHEMAS });
  const code = printCheck(schema, { api, scope, functionName: 'check', nameOf: (view) => view });
  expect(scope.printConstants() + code).not.toMatch(/\brt\.fail(?!s)/);
});
