import { spawnSync } from 'node:child_process';

/** A command whose whole process is timed. */
export interface Contender {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Puts things as they must be before each run; not timed. */
  readonly prepare?: () => void;
}

/** Median milliseconds by name. */
export type Timings = ReadonlyMap<string, number>;

/** Runs contenders in turn, some rounds, so that what else the machine does falls on all of them alike. */
export function race(contenders: readonly Contender[], rounds: number): Timings {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of contenders) times.get(contender.name)?.push(timeOnce(contender));
  }
  return new Map([...times].map(([name, list]) => [name, median(list)]));
}

function timeOnce({ name, command: [program, ...args], cwd, env, prepare }: Contender): number {
  prepare?.();
  const start = performance.now();
  const { status, stderr } = spawnSync(program, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${name} failed with ${status}: ${stderr.slice(-2000)}`);
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A line of a table: what was measured, against what, and whether it is within its bound. */
export interface Figure {
  readonly what: string;
  readonly value: string;
  readonly bound: string;
  readonly within: boolean;
  /** Said below the line. */
  readonly note?: string;
}

export function seconds(milliseconds: number | undefined): string {
  return `${((milliseconds ?? Number.NaN) / 1000).toFixed(2)} s`;
}

/** Prints a table of figures, one line each. */
export function printFigures(title: string, figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ what }) => what.length));
  const valueWidth = Math.max(...figures.map(({ value }) => value.length));
  console.log(`\n${title}`);
  for (const { what, value, bound, within, note } of figures) {
    console.log(`  ${what.padEnd(width)}  ${value.padEnd(valueWidth)}  ${within ? 'ok  ' : 'MISS'}  ${bound}`);
    if (note !== undefined) console.log(`    ${note}`);
  }
}
