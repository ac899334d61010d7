import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { ASSUMPTIONS_FILE, collectAssumptions, findAssumptions } from '../../docs/collect-assumptions.js';
import { SPEC_NAMES } from './support/load-spec.js';

describe('docs/assumptions.md', () => {
  test('docs/assumptions.md is current (else run npx jiti docs/collect-assumptions.ts)', () => {
    expect(readFileSync(ASSUMPTIONS_FILE, 'utf8')).toBe(collectAssumptions());
  });

  test.each(SPEC_NAMES)('each assumption of %s is a sentence at a named place', (name) => {
    const assumptions = findAssumptions(name);
    expect(assumptions.length).toBeGreaterThan(0);
    expect(assumptions.filter(({ sentence, place }) => !/\.\s*$/.test(sentence) || /``|^$/.test(place))).toEqual([]);
  });

  test.each([
    ['signing', '`Case.Name`', undefined],
    ['signing', '`caseEvent`', 'openapi.yaml'],
    ['signing', 'response `CaseOrPartyNotFound`', 'openapi.yaml'],
    ['dictionary', '`lookupDictionary`, header parameter `Ocp-Apim-Subscription-Region`', 'openapi.yaml'],
    ['engine', '`UserDelegatedAuth.provider`', 'config.schema.json'],
    ['rate-limits', '`primary.limits[search-unauthenticated]`', 'policy.json'],
  ])('in %s the place %s has one assumption', (name, place, file) => {
    const files = findAssumptions(name).filter((assumption) => assumption.place === place);
    expect(files.map((assumption) => assumption.file)).toEqual(file === undefined ? [] : [file]);
  });
});
