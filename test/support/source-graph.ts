import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { ts } from 'ts-morph';

const root = path.join(import.meta.dirname, '../..');

/** The rooms of the source. */
export const ROOMS = [
  'runtime',
  'model',
  'schema',
  'http',
  'resources',
  'generator',
  'server',
  'mocks',
  'proxy',
  'contract',
  'diff',
  'traffic',
  'reports',
  'config',
  'cli',
  'entry',
] as const;

export type Room = (typeof ROOMS)[number];

/** Every source file by its path from the root, with the source files and outputs that it imports (types included). */
export type SourceGraph = ReadonlyMap<string, readonly string[]>;

/** Reads the imports of all rooms. */
export function readSourceGraph(): SourceGraph {
  const files = ROOMS.flatMap((room) =>
    readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.posix.join(room, file.split(path.sep).join('/'))),
  );
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/** The room of a file, or `undefined` for a file outside all rooms. */
export function roomOf(file: string): Room | undefined {
  const folder = file.slice(0, file.indexOf('/'));
  return ROOMS.find((room) => room === folder);
}

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(path.join(root, file), 'utf8'));
  return importedFiles.flatMap(({ fileName }) => {
    if (!fileName.startsWith('.')) return ownEntry(fileName) ?? [];
    return path.posix.join(path.posix.dirname(file), fileName).replace(/\.js$/, '.ts');
  });
}

const { exports: entries } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};

/** The source of what a file imports from this package by its name, such as `specmill/mock`. */
function ownEntry(target: string): string | undefined {
  const entry = target.startsWith('specmill') ? entries[target.replace('specmill', '.')] : undefined;
  return typeof entry === 'object' ? entry.default.replace(/^\.\/dist\/(.*)\.js$/, '$1.ts') : undefined;
}

/** Groups of files that import each other in a circle, each sorted by name (Tarjan's strongly connected components). */
export function findCycles(graph: SourceGraph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open = new Set<string>();
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file) ?? 0);
    open.add(file);
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (open.has(next)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const all = [...open];
    const group = all.slice(all.indexOf(file));
    for (const member of group) open.delete(member);
    if (group.length > 1) cycles.push(group.toSorted());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
