import { expect, test } from 'vitest';

import { generate } from '../../entry/specmill.js';
import { smallSpec } from '../support/small-spec.js';
import { tempFolder } from '../support/temp-folder.js';

test('a configuration that is given as an object is checked like one from a file', async () => {
  const cwd = tempFolder({ 'spec.json': JSON.stringify(smallSpec({ 'GET /pets listPets': {} })) });
  const shop = { spec: 'spec.json', output: 'out', type: { dates: 'Date' } };
  await expect(generate({ cwd, config: { apis: { shop } } })).rejects.toThrow(
    /^The member \/apis\/shop of the configuration has no member type/,
  );
});
