import { expect, test } from 'vitest';

import { nameItem, toSingular } from '../../resources/inflection.js';

const ROWS: readonly (readonly [plural: string, singular: string])[] = [
  ['status', 'status'],
  ['statuses', 'status'],
  ['policies', 'policy'],
  ['boxes', 'box'],
  ['branches', 'branch'],
  ['cases', 'case'],
  ['houses', 'house'],
  ['sizes', 'size'],
  ['series', 'series'],
  ['addresses', 'address'],
  ['analysis', 'analysis'],
  ['people', 'person'],
  ['movies', 'movie'],
  ['pet', 'pet'],
];

test.each(ROWS)('the singular of %s is %s', (plural, singular) => expect(toSingular(plural)).toBe(singular));

test('an item is named after the last word of its collection', () => {
  expect(nameItem('/v1/user_groups')).toBe('user group');
  expect(nameItem('/api/{entity}')).toBe('item');
});
