import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { loadApi } from '../../entry/specmill.js';
import { describeMap } from '../../resources/map/describe-map.js';
import { calls, notes, projects, repos, silences } from '../support/corrected-specs.js';
import { tempFolder } from '../support/temp-folder.js';

type Spec = (corrections?: object) => Record<string, unknown>;

/** A request: method, path, body, and the member of the response that is kept as `$id`. */
type Step = readonly [method: string, path: string, body?: object, kept?: string];

/** Sends requests to a mock of a spec and returns the statuses, and the bodies of responses. */
async function play(spec: Record<string, unknown>, steps: readonly Step[]): Promise<readonly (readonly unknown[])[]> {
  await using mock = await startMock(path.join(tempFolder({ 'spec.json': JSON.stringify(spec) }), 'spec.json'));
  let id = '';
  const seen: (readonly unknown[])[] = [];
  for (const [method, place, body, kept] of steps) {
    const text = body === undefined ? undefined : JSON.stringify(body).replaceAll('$id', id);
    const response = await mock.fetch(mock.url + place.replaceAll('$id', id), {
      method,
      ...(text === undefined ? {} : { body: text, headers: { 'content-type': 'application/json' } }),
    });
    const shown: unknown = (await response.json().catch(() => undefined)) as unknown;
    if (kept !== undefined) id = String((shown as Record<string, unknown>)[kept]);
    seen.push([response.status, shown]);
  }
  return seen;
}

interface Case {
  readonly name: string;
  readonly spec: Spec;
  readonly corrections: object;
  readonly steps: readonly Step[];
  /** The expected status and a part of the body of each step. */
  readonly right: readonly (readonly [status: number, body?: object])[];
}

const SILENCES = { '/silences': { operations: { read: 'getSilence', delete: 'deleteSilence' } } };
const WIKI = {
  operations: {
    create: 'forge',
    read: 'peek',
    list: ['shelf', 'recent'],
    update: 'amend',
    replace: 'redo',
    delete: 'bin',
  },
};
const NOTES = { '/notes': { operations: { create: 'writeNote', list: 'searchNotes' } } };

const CASES: readonly Case[] = [
  {
    name: 'read and delete on another path',
    spec: silences,
    corrections: SILENCES,
    steps: [
      ['POST', '/silences', { comment: 'night' }, 'silenceID'],
      ['GET', '/muted/$id'],
      ['DELETE', '/muted/$id'],
      ['GET', '/muted/$id'],
      ['GET', '/silences'],
    ],
    right: [[200], [200, { comment: 'night' }], [200], [404], [200, []]],
  },
  {
    name: 'all roles of calls with words that say nothing',
    spec: calls,
    corrections: { wiki: WIKI },
    steps: [
      ['POST', '/wiki.forge', { title: 'One' }, 'ref'],
      ['POST', '/wiki.peek', { ref: '$id' }],
      ['POST', '/wiki.amend', { ref: '$id', title: 'Two' }],
      ['POST', '/wiki.redo', { ref: '$id', title: 'Three' }],
      ['POST', '/wiki.shelf', {}],
      ['POST', '/wiki.recent'],
      ['POST', '/wiki.bin', { ref: '$id' }],
      ['POST', '/wiki.peek', { ref: '$id' }],
    ],
    right: [
      [200],
      [200, { title: 'One' }],
      [200, { title: 'Two' }],
      [200, { title: 'Three' }],
      [200, { data: [{ title: 'Three' }] }],
      [200, { data: [{ title: 'Three' }] }],
      [204],
      [404],
    ],
  },
  {
    name: 'a creation at the path of another collection, and a list by POST',
    spec: notes,
    corrections: NOTES,
    steps: [
      ['POST', '/drafts', { text: 'hello' }, 'id'],
      ['GET', '/notes/$id'],
      ['POST', '/notes', {}],
    ],
    right: [[201], [200, { text: 'hello' }], [200, [{ text: 'hello' }]]],
  },
];

describe('operations of a correction', () => {
  test.each(CASES)('have their roles in a mock: $name', async ({ spec, corrections, steps, right }) => {
    const shown = (seen: readonly (readonly unknown[])[]): unknown =>
      seen.map((response, index) => response.slice(0, right[index]?.length));
    expect(shown(await play(spec(), steps))).not.toMatchObject(right);
    expect(shown(await play(spec(corrections), steps))).toMatchObject(right);
  });

  test.each(CASES)('have their roles in a contract run: $name', async ({ spec, corrections }) => {
    const file = path.join(tempFolder({ 'spec.json': JSON.stringify(spec(corrections)) }), 'spec.json');
    await using mock = await startMock(file, { noRateLimit: true });
    const { findings, coverage } = await runContract({
      api: mock.api,
      url: mock.url,
      fetch: mock.fetch,
      seed: 1,
      maxExamples: 4,
    });
    expect(findings.map(({ check, message }) => `${check}: ${message}`)).toEqual([]);
    for (const { statuses } of coverage.operations) expect(Object.keys(statuses).join(' ')).toMatch(/\b2\d\d/);
  });

  test.each(CASES)('have the reason in the map: $name', async ({ spec, corrections }) => {
    const file = path.join(tempFolder({ 'spec.json': JSON.stringify(spec(corrections)) }), 'spec.json');
    const { resources, others } = describeMap(await loadApi(file));
    const [[, { operations }]] = Object.entries(corrections) as [[string, { operations: Record<string, string> }]];
    const wanted = Object.entries(operations).flatMap(([role, ids]) => [ids].flat().map((id) => `${id} ${role}`));
    expect(others).toEqual([]);
    expect(resources).toHaveLength(1);
    const said = resources[0]?.operations.filter(({ reason }) => reason === 'a correction says so');
    expect(said?.map(({ operationId, role }) => `${operationId} ${role}`)).toEqual(expect.arrayContaining(wanted));
  });
});

const PARENT = { '/projects': { parent: '/organizations' } };

test('items go with the parent that a correction names, and cannot be made without it', async () => {
  const steps: readonly Step[] = [
    ['POST', '/projects', { name: 'Lost', organization_id: 'none' }],
    ['POST', '/organizations', { name: 'Acme' }, 'id'],
    ['POST', '/projects', { name: 'Rocket', organization_id: '$id' }],
    ['DELETE', '/organizations/$id'],
    ['GET', '/projects?organization_id=$id'],
  ];
  const before = await play(projects(), steps);
  expect(before.map(([status]) => status)).toEqual([201, 201, 201, 204, 200]);
  expect(before.at(-1)?.[1]).toHaveLength(1);
  const after = await play(projects(PARENT), steps);
  expect(after.map(([status]) => status)).toEqual([404, 201, 201, 204, 200]);
  expect(after.at(-1)?.[1]).toEqual([]);
  const file = path.join(tempFolder({ 'spec.json': JSON.stringify(projects(PARENT)) }), 'spec.json');
  const { resources } = describeMap(await loadApi(file));
  expect(resources.find((one) => one.path === '/projects')?.parent).toMatchObject({
    path: '/organizations',
    member: '/organization_id',
  });
});

test('a member repeats the path parameter that a correction names', async () => {
  const steps: readonly Step[] = [
    ['POST', '/users/ann/repos', { name: 'rocket' }, 'id'],
    ['GET', '/users/ann/repos/$id'],
  ];
  const [, before] = await play(repos(), steps);
  expect(before?.[1]).not.toMatchObject({ login: 'ann' });
  const [, after] = await play(repos({ '/users/{owner}/repos': { parameters: { owner: '/login' } } }), steps);
  expect(after?.[1]).toMatchObject({ login: 'ann' });
});
