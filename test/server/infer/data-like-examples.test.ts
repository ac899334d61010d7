import { describe, expect, it, onTestFinished } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { loadDocument } from '../../support/load-document.js';
import { listOf, object, smallSpec, TEXT } from '../../support/small-spec.js';

const MEMBER = {
  uid: { type: 'string', format: 'uuid', examples: ['1a901a90-1a90-41a9-81a9-01a901a901a9'] },
  object: { type: 'string', examples: ['member'] },
  phase: { type: 'string', examples: ['on_trial', 'paying'] },
  plan: { type: 'string', enum: ['free', 'pro'] },
  email: { type: 'string', format: 'email', examples: ['jane@example.com'] },
  name: { type: 'string', examples: ['Jane Roe'] },
  firstName: TEXT,
  lastName: TEXT,
  referral_code: { type: 'string', examples: ['SUMMER20'] },
  number: { type: 'integer', examples: [12] },
  external_id: { type: 'integer', minimum: 1, maximum: 60, examples: [7] },
  address: object({ city: TEXT, country: TEXT, zip: TEXT }),
  archived: { type: 'boolean', examples: [true] },
  deletedAt: { type: ['string', 'null'], format: 'date-time', examples: ['2020-01-01T00:00:00Z'] },
  failure_reason: { type: 'string', examples: ['fraud'] },
  manager: { anyOf: [{ $ref: '#/components/schemas/Member' }, { type: 'null' }] },
  rate: { type: 'number' },
};
const REQUIRED = Object.keys(MEMBER).filter((name) => !['failure_reason', 'manager', 'rate'].includes(name));
const SPEC = smallSpec(
  {
    'GET /members listMembers': { returns: listOf({ $ref: '#/components/schemas/Member' }) },
    'POST /members createMember': {
      takes: object({ rate: TEXT }, []),
      returns: { $ref: '#/components/schemas/Member' },
      status: 201,
    },
    'GET /members/{uid} readMember': { returns: { $ref: '#/components/schemas/Member' } },
  },
  { Member: object(MEMBER, REQUIRED) },
);

type Member = Readonly<Record<string, unknown>> & { readonly manager?: Member | null };

async function listMembers(seed: number): Promise<readonly Member[]> {
  const mock = await startMock(await loadDocument(SPEC), { items: 40, seed });
  onTestFinished(() => mock.close());
  return (await (await mock.fetch(`${mock.url}/members`)).json()) as readonly Member[];
}

function valuesOf(members: readonly Member[], name: string): ReadonlySet<unknown> {
  return new Set(members.map((member) => member[name]));
}

describe('Made-up items', () => {
  it('have the words of the examples, and nothing that repeats where a member looks unique', async () => {
    const members = await listMembers(1);
    expect(members).toHaveLength(40);
    expect(valuesOf(members, 'object')).toEqual(new Set(['member']));
    expect(valuesOf(members, 'phase')).toEqual(new Set(['on_trial', 'paying']));
    for (const name of ['uid', 'email', 'referral_code', 'external_id'])
      expect([name, valuesOf(members, name).size]).toEqual([name, 40]);
    for (const code of valuesOf(members, 'referral_code')) expect(code).toMatch(/^[A-Z]{6}\d\d$/);
    expect([...valuesOf(members, 'uid')]).not.toContain(MEMBER.uid.examples[0]);
  });

  it('are neither deleted, archived nor failed, and nest their own schema once', async () => {
    const members = await listMembers(2);
    for (const { archived, deletedAt, failure_reason: failure } of members)
      expect([archived, deletedAt, failure]).toEqual([false, null, undefined]);
    expect(members.some(({ manager }) => typeof manager === 'object' && manager !== null)).toBe(true);
    for (const { manager } of members) expect(manager?.manager ?? undefined).toBeUndefined();
  });

  it('have a name and an address that fit together', async () => {
    const [boston, berlin] = [/^02108 US Boston$/, /^10115 DE Berlin$/];
    const members = await listMembers(3);
    for (const { name, firstName, lastName, email } of members) {
      expect(name).toBe(`${String(firstName)} ${String(lastName)}`);
      expect(email).toMatch(
        new RegExp(
          `^${String(firstName)
            .toLowerCase()
            .replaceAll(/[^a-z]/g, '')}\\.`,
        ),
      );
    }
    const towns = members.map(({ address }) => {
      const { zip, country, city } = address as { zip: string; country: string; city: string };
      return `${zip} ${country} ${city}`;
    });
    expect(new Set(towns).size).toBeGreaterThan(5);
    for (const town of towns.filter((one) => /Boston|Berlin/.test(one)))
      expect(town).toMatch(town.includes('US') ? boston : berlin);
  });

  it('are the same for the same seed, and others for another', async () => {
    const [one, again, other] = [await listMembers(4), await listMembers(4), await listMembers(5)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('keep a number that the request sends as text', async () => {
    const mock = await startMock(await loadDocument(SPEC));
    onTestFinished(() => mock.close());
    const created = await mock.fetch(`${mock.url}/members`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"rate":"20.0"}',
    });
    expect(await created.json()).toMatchObject({ rate: 20, object: 'member', archived: false, deletedAt: null });
  });
});
