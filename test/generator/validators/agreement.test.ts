import { isDeepStrictEqual } from 'node:util';

import { beforeAll, describe, expect, test } from 'vitest';

import { compileValidator } from '../../../schema/compile-validator.js';
import { buildApi } from '../../support/build-api.js';
import { emitValidators, importEmitted } from '../../support/emit-validators.js';
import { CASE_SCHEMAS, KEYWORD_CASES } from '../../support/keyword-cases.js';

type Exports = Awaited<ReturnType<typeof importEmitted>>;

const cases = KEYWORD_CASES.map((one, index) => ({ ...one, name: `Case${index}` }));
const api = buildApi({
  schemas: { ...CASE_SCHEMAS, ...Object.fromEntries(cases.map(({ name, schema }) => [name, schema])) },
});
let emitted: Exports;

beforeAll(async () => {
  emitted = await importEmitted(await emitValidators(api), 'validators');
});

describe.each(cases)('$rule', ({ name, accepts, refuses, mistagged = [] }) => {
  // Of the values that are valid, those whose tag is that of their type.
  const typed = accepts.filter((value) => !mistagged.some((one) => isDeepStrictEqual(one, value)));

  test('the emitted code gives the same errors as the validator in process', () => {
    const validate = compileValidator(api, { $ref: `#/$defs/${name}` }, { direction: 'response' });
    for (const value of [...accepts, ...refuses]) {
      const errors = validate(value);
      const expected = errors.length === 0 ? { ok: true, value } : { ok: false, errors };

      expect(emitted[`validate${name}`]?.(value)).toEqual(expected);
    }
  });

  test('the emitted validator agrees with the compiled one', () => {
    expect(typed.map((value) => emitted[`is${name}`]?.(value))).toEqual(typed.map(() => true));
    expect(mistagged.map((value) => emitted[`is${name}`]?.(value))).toEqual(mistagged.map(() => false));
    expect(refuses.map((value) => emitted[`is${name}`]?.(value))).toEqual(refuses.map(() => false));
  });

  test('the emitted assertion throws for exactly the values that the guard rejects', () => {
    for (const value of typed) expect(() => emitted[`assert${name}`]?.(value)).not.toThrow();
    for (const value of [...mistagged, ...refuses]) expect(() => emitted[`assert${name}`]?.(value)).toThrow(name);
  });
});
