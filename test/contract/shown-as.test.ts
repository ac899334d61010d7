import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { isShownAs, printShownAs } from '../../contract/shown-as.js';

const literal = (value: unknown): string => `(${JSON.stringify(value)})`;

/** Runs the printed assertion as a pasted test would. */
function passes(sent: unknown, shown: unknown): boolean {
  try {
    runInNewContext(printShownAs({ shown: literal(shown), wanted: literal(sent) }, sent), { expect });
    return true;
  } catch {
    return false;
  }
}

test.each<[unknown, unknown, boolean]>([
  ['20.0', 20, true],
  ['07683', 7683, true],
  ['-012.50', -12.5, true],
  ['42', 42, true],
  ['07683', '07683', true],
  ['07683', '7683', false],
  ['07683', 7684, false],
  ['20.0', 21, false],
  ['9007199254740993', 9_007_199_254_740_992, false],
  ['4e3', 4000, false],
])('the text %j may be shown as %j: %j, in the run and in the printed test', (sent, shown, may) => {
  expect([isShownAs(sent, shown), passes(sent, shown)]).toEqual([may, may]);
});
