import { existsSync, readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { loadApi } from '../../model/load-api.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';

const EXAMPLES = 'node_modules/@readme/oas-examples';
const OWN = readdirSync('specs').flatMap((name) =>
  ['openapi.yaml', 'config.schema.json'].map((file) => `specs/${name}/${file}`),
);
const SPECS = [
  ...OWN,
  `${EXAMPLES}/2.0/json/petstore.json`,
  `${EXAMPLES}/3.0/json/petstore.json`,
  `${EXAMPLES}/3.1/json/petstore.json`,
  `${EXAMPLES}/3.1/json/train-travel.json`,
].filter((file) => existsSync(file));
const SEEDS = Array.from({ length: 21 }, (_, seed) => seed);
const VARIANTS = ['typical', 'minimal', 'full'] as const;

describe('every schema of a real spec', () => {
  it.each(SPECS)('every schema of a real spec has valid values in both directions: %s', async (spec) => {
    const api = await loadApi(spec);
    for (const name of api.schemas.keys()) {
      const schema = { $ref: `#/$defs/${name}` };
      for (const direction of ['request', 'response'] as const) {
        const validate = compileValidator(api, schema, { direction });
        for (const seed of SEEDS) {
          const made = generateValue(api, schema, { direction, seed, variant: VARIANTS[seed % 3] ?? 'typical' });
          expect(made.ok ? validate(made.value) : made.reason, `${name} ${direction} ${seed}`).toEqual([]);
        }
      }
    }
  });
});
