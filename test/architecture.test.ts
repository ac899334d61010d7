import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOMS, type Room, findCycles, readSourceGraph, roomOf } from './support/source-graph.js';

const root = path.join(import.meta.dirname, '..');
const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
const map = [...page.matchAll(/^\| `([\w./-]+)\/` \|/gm)].map(([, folder = '']) => folder);

/** The folders of the rooms, two levels deep; below that a folder is a matter of its room. */
function sourceFolders(): string[] {
  const inner = ROOMS.flatMap((room) =>
    readdirSync(path.join(root, room), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${room}/${name}`),
  );
  return [...ROOMS, ...inner].filter((folder) => readdirSync(path.join(root, folder)).length > 0);
}

describe('docs/architecture.md', () => {
  it('docs/architecture.md has at most 190 lines', () => expect(page.split('\n').length).toBeLessThanOrEqual(190));

  it('maps every folder of the source', () =>
    expect(sourceFolders().filter((folder) => !map.includes(folder))).toEqual([]));

  it('maps no folder that does not exist', () =>
    expect(map.filter((folder) => !existsSync(path.join(root, folder)))).toEqual([]));

  it('docs/architecture.md names only files that exist', () => {
    const files = [...page.matchAll(/`([\w-]+\/[\w./-]+\.(?:ts|md|json|yaml))`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});

it('no document has a broken link', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(path.join(root, 'docs'))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
  ];
  const dead = pages.flatMap((file) => {
    const links = [...readFileSync(path.join(root, file), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      ([, link = '']) => link,
    );
    return links
      .filter((link) => !existsSync(path.join(root, path.dirname(file), link)))
      .map((link) => `${file}: ${link}`);
  });
  expect(dead).toEqual([]);
});

/** The rooms that a room may import, beside itself. */
const ARROWS: Readonly<Record<Room, readonly Room[]>> = {
  runtime: [],
  model: ['runtime'],
  schema: ['model', 'runtime'],
  http: ['schema', 'model', 'runtime'],
  resources: ['http', 'schema', 'model', 'runtime'],
  generator: ['resources', 'schema', 'model', 'runtime', 'config'],
  server: ['resources', 'http', 'schema', 'model', 'runtime', 'config'],
  proxy: ['http', 'schema', 'model', 'runtime', 'config', 'reports'],
  contract: ['resources', 'http', 'schema', 'model', 'runtime', 'config', 'reports'],
  diff: ['schema', 'model', 'runtime', 'reports'],
  traffic: ['diff', 'http', 'schema', 'model', 'runtime', 'reports'],
  reports: [],
  config: ['model', 'runtime'],
  mocks: [],
  cli: ROOMS,
  entry: ROOMS,
};

describe('imports', () => {
  const graph = readSourceGraph();

  it('imports from one room to another follow the arrows of docs/architecture.md', () => {
    const wrong = [...graph].flatMap(([file, imports]) => {
      const room = roomOf(file);
      if (room === undefined) return [];
      return imports.flatMap((target) => {
        const other = roomOf(target);
        const isAllowed = other === undefined || other === room || ARROWS[room].includes(other);
        return isAllowed || isPublicMock(room, target) ? [] : [`${file} imports ${target}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  it('a built-in emitter imports only its own folder and the contract of emitters', () => {
    const kit = new Set(['contract', 'define-emitter'].map((name) => `generator/emitter-kit/${name}.ts`));
    const wrong = [...graph].flatMap(([file, imports]) => {
      const own = /^generator\/products\/[^/]+\//.exec(file)?.[0];
      if (own === undefined) return [];
      return imports.flatMap((one) => (one.startsWith(own) || kit.has(one) ? [] : [`${file} imports ${one}`]));
    });
    expect(wrong).toEqual([]);
  });

  it('imports have no cycle', () => expect(findCycles(graph)).toEqual([]));
});

/** The behaviour of a mock imports what a user's would: the public entry, and its generated types. */
function isPublicMock(room: Room, target: string): boolean {
  return room === 'mocks' && target === 'entry/mock.ts';
}
