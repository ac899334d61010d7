import { getEventListeners } from 'node:events';
import path from 'node:path';

import { expect, it } from 'vitest';

import { watchFiles } from '../../server/watch-files.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

it('waiting for a change leaves no listener on the abort signal', async () => {
  const folder = tempFolder({ 'a.yaml': 'a' });
  const { signal } = new AbortController();
  for (let turn = 0; turn < 3; turn += 1) {
    writeTo(folder, 'a.yaml', String(turn));
    expect(await watchFiles({ files: new Set([path.join(folder, 'a.yaml')]), since: 0, signal })).toBe(true);
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
