import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type Figure, median } from '../measure.js';
import { measureBundle, timeInTurn } from './bundles.js';
import { CONTENDERS, type Contender, PEERS } from './contenders.js';
import { type Usage, measureEditor, measureRun } from './processes.js';
import { type ValidatorFigures, measureValidators } from './validators.js';

interface Row {
  readonly name: string;
  readonly generation: Usage;
  readonly checks: Readonly<Record<'7' | '5.9', Usage>>;
  readonly editor: Usage;
  readonly bundles: Readonly<Record<'one' | 'five', number>>;
  /** Microseconds of a call, by round. */
  readonly call: readonly number[];
}

/** What the output for GitHub's spec costs those who use it, beside the peers: prints a table in Markdown. */
export async function benchOutput(): Promise<Figure[]> {
  const work = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
  try {
    symlinkSync(PEERS, path.join(work, 'node_modules'));
    const measured: Omit<Row, 'call'>[] = [];
    for (const contender of CONTENDERS) measured.push(await measureContender(contender, folderOf(contender, work)));
    const modules = CONTENDERS.map((contender) => {
      const code = contender.one.replace('export const call =', 'export const turn =');
      return { folder: folderOf(contender, work), code };
    });
    const raw = `export const turn = async () => (await fetch(new Request('https://api.github.com/repos/a/b'))).json();`;
    const [fetchAlone = [], ...calls] = await timeInTurn(work, [{ folder: work, code: raw }, ...modules]);
    const rows = measured.map((row, index) => ({ ...row, call: calls[index] ?? [] }));
    printTable(rows, await measureValidators(work), median(fetchAlone));
    return listBounds(rows);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function folderOf({ name }: Contender, work: string): string {
  return path.join(work, name.replaceAll(/\W+/g, '-'));
}

const COMPILER_OPTIONS = {
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'bundler',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  strict: true,
  skipLibCheck: true,
  types: [],
  noEmit: true,
};

async function measureContender(contender: Contender, folder: string): Promise<Omit<Row, 'call'>> {
  const { name, files = {}, command, five, one, probe } = contender;
  mkdirSync(folder);
  for (const [file, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files }))
    writeFileSync(path.join(folder, file), text);
  const generation = measureRun(folder, command);
  const config = { compilerOptions: COMPILER_OPTIONS, files: ['use.ts'] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(path.join(folder, 'use.ts'), five);
  const check = (compiler: string): Usage => measureRun(folder, [path.join(PEERS, compiler, 'bin/tsc'), '-p', '.']);
  const checks = { '7': check('typescript-7'), '5.9': check('typescript') };
  const bundles = { one: await measureBundle(folder, one), five: await measureBundle(folder, five) };
  const editor = await measureEditor(folder, probe);
  if (editor.members < 50) throw new Error(`${name}: the editor offers ${editor.members} members of a repository`);
  return { name, generation, checks, editor, bundles };
}

const usage = ({ cpu, memory }: Usage): string => `${cpu.toFixed(1)} s, ${memory.toFixed(0)} MB`;
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function printTable(rows: readonly Row[], validators: readonly ValidatorFigures[], fetchAlone: number): void {
  const lines: [string, (row: Row) => string][] = [
    ['generation', ({ generation }) => usage(generation)],
    ['type check of five calls, TypeScript 7', ({ checks }) => usage(checks['7'])],
    ['the same, TypeScript 5.9', ({ checks }) => usage(checks['5.9'])],
    ['editor (tsserver 5.9): open, complete', ({ editor }) => usage(editor)],
    ['bundle of one call, of five', ({ bundles }) => `${kilobytes(bundles.one)}, ${kilobytes(bundles.five)}`],
    [`a call (\`fetch\` alone: ${fetchAlone.toFixed(1)} µs)`, ({ call }) => `${median(call).toFixed(1)} µs`],
  ];
  console.log(`\n| GitHub's spec | ${rows.map(({ name }) => name).join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(rows.length)}`);
  for (const [what, print] of lines) console.log(`| ${what} | ${rows.map((row) => print(row)).join(' | ')} |`);
  console.log('\n| a validator | bundle | a valid value | an invalid value |\n| --- | --- | --- | --- |');
  for (const { name, bytes, valid, invalid } of validators)
    console.log(`| ${name} | ${kilobytes(bytes)} | ${valid.toFixed(0)} ns | ${invalid.toFixed(0)} ns |`);
}

function listBounds(rows: readonly Row[]): Figure[] {
  const [ours, bound, lean, fetching, hey] = rows;
  if (ours === undefined || bound === undefined || lean === undefined || fetching === undefined || hey === undefined)
    throw new Error('A contender is missing.');
  const against = (what: string, other: Row, most: number): Figure[] =>
    (['7', '5.9'] as const).flatMap((version) => [
      ratio(
        `type check ${version}, time, against ${what}`,
        [ours.checks[version].cpu, other.checks[version].cpu],
        most,
      ),
      ratio(
        `type check ${version}, memory, against ${what}`,
        [ours.checks[version].memory, other.checks[version].memory],
        most,
      ),
    ]);
  return [
    ...against('`types,client`', lean, 1.5),
    ...against('hey-api', hey, 1),
    ratio('editor, memory, against `types,client`', [ours.editor.memory, lean.editor.memory], 1.5),
    ratio('a call against openapi-fetch', [medianRatio(ours.call, fetching.call), 1], 1.2),
    ratio('a call of `createClient` against a function', [medianRatio(bound.call, ours.call), 1], 1.05),
    ratio('bytes of one call against 3.0 kB', [ours.bundles.one, 3000], 1),
  ];
}

/** The median of the ratios of corresponding rounds. */
function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.map((time, round) => time / (theirs[round] ?? Number.NaN)));
}

function ratio(what: string, [ours, theirs]: readonly [number, number], most: number): Figure {
  const value = ours / theirs;
  return { what, value: value.toFixed(2), bound: `at most ${most}`, within: value <= most };
}
