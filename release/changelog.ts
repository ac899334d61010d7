import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes one section for users of what `changeset version` wrote and of "Unreleased": the headings of Keep a Changelog, and the
 * day of the release. `npm run release:version` runs it.
 */
const HEADINGS: Readonly<Record<string, string>> = {
  'Major Changes': 'Breaking',
  'Minor Changes': 'Added',
  'Patch Changes': 'Fixed',
};

const ORDER: readonly string[] = ['Breaking', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** Returns the changelog with a dated section of the version above all others, and an empty "Unreleased". */
export function mergeChangelog(text: string, version: string, day: string): string {
  const [head = '', ...sections] = text.split(/^(?=## )/m);
  const isNew = (section: string): boolean => [version, 'Unreleased'].includes(titleOf(section));
  const parts = sections.filter(isNew).flatMap(readParts);
  const merged = [...new Set([...ORDER, ...parts.map(({ heading }) => heading)])].flatMap((heading) => {
    const lines = parts.filter((part) => part.heading === heading).map((part) => part.text);
    return lines.length === 0 ? [] : [`### ${heading}\n\n${lines.join('\n')}\n`];
  });
  // `changeset version` puts its section below the title, above the introduction.
  const introduction = sections.filter((section) => titleOf(section) === version).flatMap(readIntroduction);
  const top = [head.trimEnd(), ...introduction].join('\n\n');
  const older = sections.filter((section) => !isNew(section)).join('');
  return `${top}\n\n## Unreleased\n\n## ${version} (${day})\n\n${merged.join('\n')}${older === '' ? '' : `\n${older}`}`;
}

interface Part {
  readonly heading: string;
  readonly text: string;
}

function titleOf(section: string): string {
  return section.slice(3, section.indexOf('\n')).trim();
}

function readParts(section: string): Part[] {
  return section
    .split(/^(?=### )/m)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      const heading = part.slice(4, end).trim();
      return { heading: HEADINGS[heading] ?? heading, text: withoutIntroduction(part.slice(end)).trim() };
    })
    .filter(({ text }) => text !== '');
}

/** The sentences about the format of the file, which begin with this word. */
const INTRODUCTION = 'The format follows';

function withoutIntroduction(text: string): string {
  const start = text.indexOf(INTRODUCTION);
  return start === -1 ? text : text.slice(0, start);
}

function readIntroduction(section: string): string[] {
  const start = section.indexOf(INTRODUCTION);
  return start === -1 ? [] : [section.slice(start).trim()];
}

function main(): void {
  const root = path.join(import.meta.dirname, '..');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const file = path.join(root, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(file, mergeChangelog(readFileSync(file, 'utf8'), version, day));
}

if (process.argv[1] === import.meta.filename) main();
