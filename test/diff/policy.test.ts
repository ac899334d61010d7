import { describe, expect, test } from 'vitest';

import { type ApiDiff, type DiffOptions, diffApis } from '../../diff/index.js';
import { loadDocument } from '../support/load-document.js';

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** Operations `GET /a/{id}` and `GET /b/{id}` with one schema, and what varies. */
function documentOf(schema: object, operation: object = {}, version = '1.2.0'): object {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };
  const get = (name: string): object => ({
    get: {
      operationId: `get${name}`,
      parameters: [ID],
      responses: { 200: { description: 'OK', content } },
      ...operation,
    },
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Test', version },
    paths: { '/a/{id}': get('A'), '/b/{id}': get('B') },
    components: { schemas: { Thing: schema } },
  };
}

async function diff(old: object, next: object, options: DiffOptions = {}): Promise<ApiDiff> {
  const [oldApi, api] = await Promise.all([loadDocument(old), loadDocument(next)]);
  return diffApis(oldApi, api, options);
}

const SHORT = { type: 'string', maxLength: 5 };
const LONG = { type: 'string', maxLength: 9 };
const TEXT = { type: 'string' };
const NUMBER = { type: 'integer' };

const kinds = ({ changes }: ApiDiff): string[] => changes.map(({ kind, level }) => `${kind} ${level}`);

describe('a policy', () => {
  test('a policy gives a kind of change another level', async () => {
    const policy = { levels: { 'length-loosened': 'breaking' } } as const;
    expect(kinds(await diff(documentOf(SHORT), documentOf(LONG)))).toEqual(['length-loosened risky']);
    expect(kinds(await diff(documentOf(SHORT), documentOf(LONG), { policy }))).toEqual(['length-loosened breaking']);
  });

  test('a policy gives a kind of change another level in one direction', async () => {
    const policy = { levels: { 'length-loosened': { request: 'breaking', response: 'safe' } } } as const;
    expect(kinds(await diff(documentOf(SHORT), documentOf(LONG), { policy }))).toEqual(['length-loosened safe']);
  });

  test('a policy with strictResponses makes a wider response a breaking change', async () => {
    const policy = { strictResponses: true };
    expect(kinds(await diff(documentOf(SHORT), documentOf(LONG), { policy }))).toEqual(['length-loosened breaking']);
    expect(kinds(await diff(documentOf(LONG), documentOf(SHORT), { policy }))).toEqual(['length-tightened safe']);
  });

  test('a policy with versionRule requires a new major version for a breaking change', async () => {
    const policy = { versionRule: 'semver' } as const;
    const breaking = await diff(documentOf(TEXT), documentOf(NUMBER, {}, '1.3.0'), { policy });
    expect(kinds(breaking)).toContain('version-not-raised risky');
    expect(breaking.changes.find(({ kind }) => kind === 'version-not-raised')?.message).toBe(
      'A change is breaking, and the version is "1.3.0", was "1.2.0".',
    );
    const raised = await diff(documentOf(TEXT), documentOf(NUMBER, {}, '2.0.0'), { policy });
    expect(kinds(raised)).not.toContain('version-not-raised risky');
    const unborn = await diff(documentOf(TEXT, {}, '0.1.0'), documentOf(NUMBER, {}, '0.2.0'), { policy });
    expect(kinds(unborn)).not.toContain('version-not-raised risky');
  });
});

describe('a waiver', () => {
  const waiver = { kind: 'type-changed', operation: 'GET /a/{id}', reason: 'no client uses it' } as const;
  const run = async (...waivers: NonNullable<NonNullable<DiffOptions['policy']>['waivers']>): Promise<ApiDiff> =>
    diff(documentOf(TEXT), documentOf(NUMBER), { policy: { waivers }, now: new Date('2027-01-31T12:00:00Z') });

  test('a waiver of one operation does not accept the change of the others', async () => {
    const { changes, counts, waived } = await run(waiver);
    expect(changes.map(({ operations }) => operations.map(({ path }) => path))).toEqual([['/b/{id}']]);
    expect(counts.breaking).toBe(1);
    expect(waived).toBe(0);
  });

  test('a waiver of every affected operation accepts the change', async () => {
    const { changes, counts, waived, notes } = await run({ ...waiver, operation: 'GET /*' });
    expect({ changes, breaking: counts.breaking, waived, notes }).toEqual({
      changes: [],
      breaking: 0,
      waived: 1,
      notes: [],
    });
  });

  test.each([
    ['another kind', { ...waiver, kind: 'member-added' }],
    ['another operation', { ...waiver, operation: 'getC' }],
    ['another message', { reason: 'x', message: 'something else' }],
  ] as const)('a waiver of %s accepts nothing and is reported', async (_, other) => {
    const { counts, notes } = await run(other);
    expect(counts.breaking).toBe(1);
    expect(notes).toEqual([`The waiver ${JSON.stringify(other.reason)} fits no change.`]);
  });

  test('a waiver ends after its last day', async () => {
    expect((await run({ reason: 'x', until: '2027-01-31' })).counts.breaking).toBe(0);
    const ended = await run({ reason: 'x', until: '2027-01-30' });
    expect(ended.counts.breaking).toBe(1);
    expect(ended.notes).toEqual(['The waiver "x" ended on 2027-01-30.']);
  });
});

describe('the removal of an operation', () => {
  const now = new Date('2027-01-31T12:00:00Z');
  const remove = async (operation: object): Promise<string[]> => {
    const { paths: _, ...rest } = documentOf(TEXT) as { paths: object };
    return kinds(await diff(documentOf(TEXT, operation), { ...rest, paths: {} }, { now })).filter((kind) =>
      kind.startsWith('operation-removed'),
    );
  };

  test.each([
    ['is breaking', {}, 'breaking'],
    ['is risky after a deprecation without a date', { deprecated: true }, 'risky'],
    ['is breaking before the sunset', { deprecated: true, 'x-sunset': '2099-01-01' }, 'breaking'],
    ['is breaking if the sunset is not a date', { deprecated: true, 'x-sunset': 'soon' }, 'breaking'],
    ['is risky after the sunset', { deprecated: true, 'x-sunset': '2027-01-01' }, 'risky'],
    ['is risky while the operation is in beta', { 'x-stability-level': 'beta' }, 'risky'],
  ])('the removal of an operation: %s', async (_, operation, level) => {
    expect(await remove(operation)).toEqual([`operation-removed ${level}`, `operation-removed ${level}`]);
  });
});

test('a breaking change of a draft, an alpha or a beta is risky', async () => {
  const beta = { 'x-stability-level': 'beta' };
  expect(kinds(await diff(documentOf(TEXT, beta), documentOf(NUMBER, beta)))).toEqual(['type-changed risky']);
  const stable = { 'x-stability-level': 'stable' };
  expect(kinds(await diff(documentOf(TEXT, stable), documentOf(NUMBER, stable)))).toEqual(['type-changed breaking']);
});
