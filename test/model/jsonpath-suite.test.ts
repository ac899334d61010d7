import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { JSONPathError } from 'json-p3';
import { describe, expect, test } from 'vitest';

import { valueAtPath } from '../../model/document/pointer.js';
import { selectPaths } from '../../model/overlay/select-paths.js';

const SUITE = path.join(import.meta.dirname, '../../../shared/suites/jsonpath/cts.json');

interface Case {
  readonly name: string;
  readonly selector: string;
  readonly document?: unknown;
  readonly invalid_selector?: boolean;
  readonly result?: readonly unknown[];
  readonly results?: readonly (readonly unknown[])[];
}

const { tests } = (existsSync(SUITE) ? JSON.parse(readFileSync(SUITE, 'utf8')) : { tests: [] }) as {
  readonly tests: readonly Case[];
};

describe.skipIf(tests.length === 0)(
  'JSONPath compliance suite (skipped: ../shared/suites/jsonpath is not there)',
  () => {
    test('has all 703 tests', () => expect(tests).toHaveLength(703));

    test.each(tests)(
      '$name',
      ({ selector, document = null, invalid_selector: isInvalid, result, results = [result] }) => {
        if (isInvalid === true) expect(() => selectPaths(document, selector)).toThrow(JSONPathError);
        else
          expect(results).toContainEqual(selectPaths(document, selector).map((place) => valueAtPath(document, place)));
      },
    );
  },
);
