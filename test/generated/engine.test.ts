import { describe, expect, it } from 'vitest';

import {
  type EngineConfiguration,
  engineConfigurationFixture,
  isEngineConfiguration,
  validateEngineConfiguration,
} from '../../generated/engine/index.js';

const minimal: EngineConfiguration = {
  'data-source': { 'database-type': 'mssql', 'connection-string': "@env('CONNECTION')" },
};

const REFUSED: readonly (readonly [rule: string, value: unknown, pointer: string])[] = [
  ['no extra property', { ...minimal, extra: 1 }, '/extra'],
  [
    'a known database',
    { 'data-source': { 'database-type': 'oracle', 'connection-string': '' } },
    '/data-source/database-type',
  ],
  [
    'options of docdb_nosql',
    { 'data-source': { 'database-type': 'docdb_nosql', 'connection-string': '' } },
    '/data-source/options',
  ],
  [
    'a page of at least one',
    { ...minimal, runtime: { pagination: { 'max-page-size': 0 } } },
    '/runtime/pagination/max-page-size',
  ],
  [
    'jwt with a custom provider',
    { ...minimal, runtime: { host: { authentication: { provider: 'Custom' } } } },
    '/runtime/host/authentication/jwt',
  ],
];

describe('the engine configuration', () => {
  it('the engine configuration accepts a small file, and every fixture', () => {
    expect(isEngineConfiguration(minimal)).toBe(true);
    for (let seed = 0; seed < 6; seed += 1)
      expect(isEngineConfiguration(engineConfigurationFixture({}, { seed }))).toBe(true);
  });

  it.each(REFUSED)('the engine configuration must have %s', (_rule, value, pointer) => {
    const result = validateEngineConfiguration(value);
    const pointers = result.ok ? [] : result.errors.map((error) => error.pointer);
    expect(pointers.some((one) => pointer.startsWith(one) || one === pointer)).toBe(true);
    expect(result.ok).toBe(false);
  });
});
