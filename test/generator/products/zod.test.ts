import { describe, expect, it } from 'vitest';

import type { Schema } from '../../../model/schema-types.js';
import { compileValidator } from '../../../schema/compile-validator.js';
import { buildApi } from '../../support/build-api.js';
import { CASE_SCHEMAS, KEYWORD_CASES } from '../../support/keyword-cases.js';
import { zodSchemas } from '../../support/zod-schemas.js';

/** All cases of keywords as schemas of one API. */
function casesApi(): ReturnType<typeof buildApi> {
  const cases = Object.fromEntries(
    KEYWORD_CASES.map(({ schema }, index): [string, Schema] => [`Case${index}`, schema]),
  );
  return buildApi({ schemas: { ...CASE_SCHEMAS, ...cases } });
}

describe('schemas of Zod', () => {
  it.each([
    ['classic', 'loose'],
    ['mini', 'strip'],
    ['classic', 'strict'],
  ])('accept what the validators accept, for every keyword (%s, %s)', async (variant, unknownKeys) => {
    const api = casesApi();
    const { schemas } = await zodSchemas(api, { variant, unknownKeys });
    const wrong = KEYWORD_CASES.flatMap(({ rule, schema, accepts, refuses }, index) => {
      const validate = compileValidator(api, schema, { direction: 'response' });
      return [...accepts, ...refuses].flatMap((value) => {
        const isValid = validate(value).length === 0;
        const isTaken = schemas[`zCase${index}`]?.safeParse(value).success;
        // What the spec does not say of unknown members is said by the option.
        return isTaken === isValid || (unknownKeys === 'strict' && isTaken === false) ? [] : [[rule, value, isTaken]];
      });
    });
    expect(wrong).toEqual([]);
  });
});
