import path from 'node:path';

import { expect, test } from 'vitest';

import type { Api } from '../../model/api.js';
import { loadApi } from '../../model/load-api.js';
import { specFolder } from '../support/spec-folder.js';

const objects = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, {}]));
const lists = Array.from({ length: 10_000 }, () => []);
const numbers = Array.from({ length: 50_000 }, (_, index) => ({ odd: index % 2 }));
const times = <Action>(count: number, action: (index: number) => Action): readonly Action[] =>
  Array.from({ length: count }, (_, index) => action(index));

const many = 'The overlays visit and change too many places of the spec.';

test.each<[string, unknown, readonly object[], string | RegExp]>([
  [
    'change 10,000 places each',
    objects,
    times(10_000, (index) => ({ target: "$['x-all'].*", update: { [`y${index}`]: 1 } })),
    many,
  ],
  ['visit the whole document each', objects, times(10_000, () => ({ target: '$..*', update: { y: 1 } })), many],
  [
    'append 10,000 items to each of 10,000 lists',
    lists,
    [{ target: "$['x-all'][*]", update: times(10_000, Number) }],
    many,
  ],
  ['remove each second of 50,000 items', numbers, [{ target: "$['x-all'][?@.odd == 1]", remove: true }], many],
  [
    'copy the document into itself 40 times',
    {},
    times(40, (index) => [
      { target: '$', update: { [`x${index}`]: {} } },
      { target: `$.x${index}`, copy: '$' },
    ]).flat(),
    /copy too much|nested deeper|more than/,
  ],
])('overlays that %s are refused', async (_what, all, actions, message) => {
  await expect(load(all, actions)).rejects.toThrow(message);
});

test('a JSONPath whose steps multiply is an error', async () => {
  const nested = Array.from({ length: 12 }).reduce<object>((inner) => ({ inner }), {});
  const { diagnostics } = await load(nested, [{ target: `$${`[${'*,'.repeat(9)}*]`.repeat(12)}`, update: {} }]);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    expect.stringMatching(/visits more than 1000000 places of the spec/),
  ]);
});

/** Loads a document with anything in `x-all`, and an overlay. */
async function load(all: unknown, actions: readonly object[]): Promise<Api> {
  const info = { title: 'A', version: '1' };
  const folder = specFolder({
    'spec.json': JSON.stringify({ openapi: '3.1.0', info, paths: {}, 'x-all': all }),
    'overlay.json': JSON.stringify({ overlay: '1.1.0', info, actions }),
  });
  return loadApi(path.join(folder, 'spec.json'), { overlays: [path.join(folder, 'overlay.json')] });
}
