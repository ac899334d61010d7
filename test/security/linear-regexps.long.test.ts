import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { checkSync } from 'recheck';
import { expect, it } from 'vitest';

import { packageRoot } from '../../model/package-info.js';
import { findRegExps } from './regexp-literals.js';

/** The rooms that are shipped. */
const ROOMS =
  'runtime model schema http resources server mocks proxy contract diff traffic generator config reports entry cli'.split(
    ' ',
  );

/** Files that make a regular expression at run time, with the reason why its time is bounded. */
const BUILT: Readonly<Record<string, string>> = {
  'contract/execute/delayed-reads.ts': 'one path, anchored, with a class for each parameter',
  'contract/expectations/kinds.ts': 'one path, anchored, with a class for each parameter',
  'contract/stateful/check-creation.ts': 'one path, anchored, with a class for each parameter',
  'model/glob.ts': 'a glob of the user, for names of the spec',
  'runtime/parsed-media-type.ts': 'two tokens, anchored, with a slash between them',
  'entry/msw.ts': 'addresses of a spec, for requests of the program that is tested',
  'runtime/msw.ts': 'addresses and paths of a spec, for requests of the program that is tested',
  'runtime/special-routes.ts': 'segments with several parameters are matched up to 1,000 characters',
  'runtime/formats.ts': 'compiled and never run',
  'runtime/json-integers.ts': 'random digits, a colon and one number between quotes',
  'schema/compile-pattern.ts': 'patterns of specs, which schema/linear-pattern.ts runs',
  'schema/sample/pattern-chars.ts': 'one class, for one character',
  'server/http-dates.ts': 'dates of fixed length, anchored',
};

const files = ROOMS.flatMap((room) =>
  readdirSync(path.join(packageRoot, room), { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
).filter((file) => /\.tsx?$/.test(file) && existsSync(path.join(packageRoot, file)));
const found = files.map((file) => findRegExps(file));

/**
 * The expressions that were checked once: to check one takes up to a minute. Others are checked in each run.
 * SPECMILL_FULL=1 checks all of them again, and writes this file.
 */
const CHECKED = path.join(import.meta.dirname, 'checked-regexps.txt');
const isFull = process.env['SPECMILL_FULL'] === '1';
const known = new Set(isFull ? [] : readFileSync(CHECKED, 'utf8').split('\n'));

it('every regular expression of the source takes linear time', () => {
  const literals = new Map(found.flatMap((one) => one.literals).map((one) => [`/${one.source}/${one.flags}`, one]));
  const slow = [...literals].flatMap(([text, { file, line, source, flags }]) => {
    const result = known.has(text) ? undefined : checkLiteral(source, flags.replace('g', ''));
    return result === undefined ? [] : [`${file}:${line} ${result}: ${source}`];
  });
  expect(literals.size).toBeGreaterThan(400);
  expect(slow).toEqual([]);
  if (isFull) writeFileSync(CHECKED, [...literals.keys()].toSorted().join('\n'));
}, 1_800_000);

/** The automaton of a large expression does not end in time; then attacks on it are searched for. */
function checkLiteral(source: string, flags: string): string | undefined {
  const first = checkSync(source, flags, { timeout: 4_000 });
  const result = first.status === 'unknown' ? checkSync(source, flags, { checker: 'fuzz', timeout: 60_000 }) : first;
  if (result.status === 'safe') return undefined;
  return result.status === 'vulnerable' ? result.complexity.summary : result.status;
}

it('only the listed files make regular expressions at run time', () => {
  expect([...new Set(found.flatMap(({ built }) => built))].toSorted()).toEqual(Object.keys(BUILT).toSorted());
});
