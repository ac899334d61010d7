import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import type { Schema } from '../../model/schema-types.js';
import { type ValidationError, compileValidator } from '../../schema/compile-validator.js';
import { loadSpec, specPath } from './support/load-spec.js';

const EXAMPLES = specPath('engine', 'examples');

describe('documents beside the specs', () => {
  test.each(readdirSync(`${EXAMPLES}/valid`))('the engine configuration %s is accepted', async (file) => {
    expect(await validateFile('engine', `${EXAMPLES}/valid/${file}`)).toEqual([]);
  });

  test.each(readdirSync(`${EXAMPLES}/invalid`))('the engine configuration %s is refused', async (file) => {
    expect(await validateFile('engine', `${EXAMPLES}/invalid/${file}`)).not.toEqual([]);
  });

  test('the policy of the rate limits is valid against its schema', async () => {
    expect(await validateFile('rate-limits', specPath('rate-limits', 'policy.json'))).toEqual([]);
  });
});

async function validateFile(spec: string, file: string): Promise<ValidationError[]> {
  const api = await loadSpec(spec);
  const root: Schema = { $ref: `#/$defs/${api.rootSchema}` };
  const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return compileValidator(api, root, { direction: 'request' })(document);
}
