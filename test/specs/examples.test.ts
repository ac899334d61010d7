import { describe, expect, test } from 'vitest';

import type { Api } from '../../model/api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { type PlacedExample, findExamples } from './support/find-examples.js';
import { SPEC_NAMES, loadSpec } from './support/load-spec.js';
import { toCanonicalNames } from './support/member-names.js';

describe('examples of the specs', () => {
  test.each(SPEC_NAMES)(
    'each example and default of %s is valid against its schema, in its direction',
    async (name) => {
      const api = await loadSpec(name);
      const examples = findExamples(api);
      const problems = examples.flatMap((example) => findProblems(api, example));
      expect(examples.length).toBeGreaterThan(0);
      expect(problems).toEqual([]);
    },
  );

  test('a request in snake_case equals one in camelCase, except for names that are data', async () => {
    const api = await loadSpec('generation');
    const part = { function_call: { name: 'find_boat', args: { boat_name: { hull_id: 7 } } } };
    expect(toCanonicalNames({ parts: [part], _odd_one: 1 }, { $ref: '#/$defs/Content' }, api)).toEqual({
      parts: [{ functionCall: { name: 'find_boat', args: { boat_name: { hull_id: 7 } } } }],
      _oddOne: 1,
    });
  });
});

function findProblems(api: Api, { place, schema, value, directions, snakeCase }: PlacedExample): string[] {
  if (value === undefined) return [`${place}: it has no value`];
  const canonical = snakeCase ? toCanonicalNames(value, schema, api) : value;
  const results = directions.map((direction) => compileValidator(api, schema, { direction })(canonical));
  if (results.some((errors) => errors.length === 0)) return [];
  return (results[0] ?? []).map(({ pointer, message }) => `${place}: ${pointer} ${message}`);
}
