import { expect, it } from 'vitest';

import { defaultPort } from '../../cli/choose-api.js';
import { readApiWord } from '../../model/document/address.js';

it.each<[given: string[], ports: number[]]>([
  [
    ['signing', 'tables'],
    [4010, 4014],
  ],
  [['shop'], [4010]],
  [
    ['shop', './books.yaml'],
    [4010, 4011],
  ],
  [
    ['shop', 'tables', 'books'],
    [4016, 4014, 4017],
  ],
])('mocks of %j are served at the ports %j', (words, ports) => {
  const apis = words.map(readApiWord);
  expect(apis.map((api) => defaultPort(api, apis))).toEqual(ports);
});
