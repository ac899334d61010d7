import { describe, expect, it } from 'vitest';

import { type GenerateValueOptions, generateValue } from '../../schema/generate-value.js';
import { readSchema } from '../support/read-schema.js';

const GIVEN = { $ref: '#/$defs/Given' };
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

async function makeMembers(
  name: string,
  schema: object,
  options: Partial<GenerateValueOptions> = {},
): Promise<unknown[]> {
  const { api } = await readSchema('2020-12', { type: 'object', required: [name], properties: { [name]: schema } });
  return SEEDS.map((seed) => {
    const made = generateValue(api, GIVEN, { direction: 'response', seed, ...options });
    return made.ok ? (made.value as Record<string, unknown>)[name] : made.reason;
  });
}

const TEXTS: readonly (readonly [name: string, looks: RegExp])[] = [
  ['EmailAddress', /^[^@\s]+@example\.(com|net|org)$/],
  ['user_email', /@example\./],
  ['FirstName', /^\p{Lu}[\p{L}' -]+$/u],
  ['lastName', /^\p{Lu}[\p{L}' -]+$/u],
  ['Phone', /^\+1555\d{7}$/],
  ['CallbackUrl', /^https:\/\/example\.com\//],
  ['City', /^\p{Lu}/u],
  ['CountryCode', /^[A-Z]{2}$/],
  ['Culture', /^[a-z]{2}-[A-Z]{2}$/],
  ['language', /^[a-z]{2}$/],
  ['mimeType', /^[a-z]+\/[a-z]+$/],
  ['FileName', /\.[a-z]{3,4}$/],
  ['caseId', /^case_[0-9a-f]{12}$/],
  ['Description', /^\p{Lu}.+\.$/u],
  ['updated_at', /^20(25|26)-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['currency', /^[A-Z]{3}$/],
];

describe('a text', () => {
  it.each(TEXTS)('suits the name %s', async (name, looks) => {
    for (const text of await makeMembers(name, { type: 'string' })) expect(text).toMatch(looks);
  });

  it('some texts are examples of the schema', async () => {
    expect(await makeMembers('motto', { type: 'string', examples: ['Per aspera'] })).toContain('Per aspera');
  });

  it('a text suits the name of its member even if the schema has a pattern', async () => {
    for (const text of await makeMembers('country', { type: 'string', pattern: '^[A-Z]{2}$' }))
      expect(['US', 'GB', 'DE', 'FR', 'ES', 'IT', 'NL', 'NO']).toContain(text);
  });
});

const NUMBERS: readonly (readonly [name: string, schema: object, min: number, max: number])[] = [
  ['ItemCount', { type: 'integer' }, 0, 50],
  ['latitude', { type: 'number' }, -90, 90],
  ['age', { type: 'integer' }, 18, 80],
  ['port', { type: 'integer', minimum: 8000 }, 8000, 9999],
  ['created_at', { type: 'integer' }, 1_750_000_000, 1_770_000_000],
  ['score', { type: 'number' }, 0, 1],
];

describe('a number', () => {
  it.each(NUMBERS)('suits the name %s', async (name, schema, min, max) => {
    for (const value of await makeMembers(name, schema)) {
      expect(value).toBeGreaterThanOrEqual(min);
      expect(value).toBeLessThanOrEqual(max);
    }
  });
});

describe('a date', () => {
  const now = new Date('2030-06-01T00:00:00Z');
  it('a date is in the past, or in the future if its name says so', async () => {
    for (const date of await makeMembers('createdAt', { type: 'string', format: 'date-time' }, { now }))
      expect(Date.parse(String(date))).toBeLessThanOrEqual(now.getTime());
    for (const date of await makeMembers('ExpiresAt', { type: 'string', format: 'date-time' }, { now }))
      expect(Date.parse(String(date))).toBeGreaterThan(now.getTime());
  });
});
