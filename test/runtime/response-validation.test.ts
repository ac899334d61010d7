import { describe, expect, it } from 'vitest';

import { checkResponsesWith } from '../../runtime/validation.js';
import { type ValidationError, ValidationFailure } from '../../runtime/validation.js';

const WRONG: ValidationError = { pointer: '/Id', message: 'must be string', keyword: 'type', params: {} };

describe('checkResponsesWith', () => {
  const seen: unknown[] = [];
  const check = checkResponsesWith(async () =>
    Promise.resolve({
      responseValidators: {
        getcase(...args) {
          seen.push(args);
          return args[2] === 'right' ? [] : [WRONG];
        },
      },
    }),
  );

  it('the validator gets the status, media type and body of the response', async () => {
    await check('getcase', 200, 'application/json', 'right');
    expect(seen).toEqual([[200, 'application/json', 'right']]);
  });

  it('invalid responses throw the violations with their pointers', async () => {
    const error: unknown = await check('getcase', 200, undefined, 'wrong').catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ValidationFailure);
    expect(error).toMatchObject({ message: 'getcase responded 200: /Id must be string', errors: [WRONG] });
  });

  it.each(['other', 'constructor', '__proto__'])('a response without a validator passes: %s', async (operation) => {
    await expect(check(operation, 200, undefined, 'wrong')).resolves.toBeUndefined();
  });
});
