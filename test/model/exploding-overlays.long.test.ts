import path from 'node:path';

import { expect, test } from 'vitest';

import { loadApi } from '../../model/load-api.js';
import { specFolder } from '../support/spec-folder.js';

const objects = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, {}]));
const lists = Array.from({ length: 10_000 }, () => []);
const numbers = Array.from({ length: 50_000 }, (_, index) => ({ odd: index % 2 }));
const times = <Action>(count: number, action: (index: number) => Action): readonly Action[] =>
  Array.from({ length: count }, (_, index) => action(index));

test.each<[string, unknown, readonly object[]]>([
  [
    'change 10,000 places each',
    objects,
    times(10_000, (index) => ({ target: "$['x-all'].*", update: { [`y${index}`]: 1 } })),
  ],
  ['visit the whole document each', objects, times(10_000, () => ({ target: '$..*', update: { y: 1 } }))],
  ['append 10,000 items to each of 10,000 lists', lists, [{ target: "$['x-all'][*]", update: times(10_000, Number) }]],
  ['remove each second of 50,000 items', numbers, [{ target: "$['x-all'][?@.odd == 1]", remove: true }]],
])('overlays that %s are refused', async (_what, all, actions) => {
  const info = { title: 'A', version: '1' };
  const folder = specFolder({
    'spec.json': JSON.stringify({ openapi: '3.1.0', info, paths: {}, 'x-all': all }),
    'overlay.json': JSON.stringify({ overlay: '1.1.0', info, actions }),
  });
  const loading = loadApi(path.join(folder, 'spec.json'), { overlays: [path.join(folder, 'overlay.json')] });
  await expect(loading).rejects.toThrow('The overlays visit and change too many places of the spec.');
});
