import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

import { loadApi } from '../../../model/load-api.js';
import { compileFolder } from '../../support/compile-types.js';
import { writeTypes } from '../../support/emit-types.js';
import { tempFolder } from '../../support/temp-folder.js';

const EXAMPLES = path.resolve('node_modules/@readme/oas-examples');
const OUR_SPECS: Readonly<Record<string, readonly string[]>> = {
  signing: ['specs/signing/openapi.yaml'],
  dictionary: ['specs/dictionary/openapi.yaml'],
  engine: ['specs/engine/config.schema.json', 'specs/engine/openapi.yaml'],
  generation: ['specs/generation/openapi.yaml'],
  tables: ['specs/tables/openapi.yaml'],
  notifications: ['specs/notifications/openapi.yaml'],
};

/** Petstores, train travel and whatever else ReadMe keeps as examples of OpenAPI 2.0, 3.0 and 3.1. */
function exampleSpecs(): [string, readonly string[]][] {
  return ['2.0', '3.0', '3.1'].flatMap((version) =>
    readdirSync(path.join(EXAMPLES, version, 'json'))
      .filter((name) => name.endsWith('.json'))
      .map((name): [string, readonly string[]] => [
        `${version.replace('.', '-')}-${name.replace('.json', '')}`,
        [path.join(EXAMPLES, version, 'json', name)],
      ]),
  );
}

test('the types of every available spec compile under the strictest flags', { timeout: 120_000 }, async () => {
  const folder = tempFolder();
  const specs = [...Object.entries(OUR_SPECS), ...exampleSpecs()].filter(([, files]) =>
    files.every((file) => existsSync(file)),
  );
  expect(specs.length).toBeGreaterThan(60);
  for (const [name, files] of specs) await writeTypes(folder, name, await loadApi(files));
  expect(await compileFolder(folder)).toBe('');
});
