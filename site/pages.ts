import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/** A page of the site before it is written. */
export interface Page {
  /** Its address below the root of the site, without slashes at its ends; empty for the front page. */
  readonly slug: string;
  readonly title: string;
  readonly group: Group;
  /** Markdown without the title. */
  readonly text: string;
  /** The file that links of the text are relative to. */
  readonly source: string;
}

export const GROUPS = ['Start', 'Clients', 'Mocks', 'Tests', 'Coming from', 'Reference', 'Background'] as const;

export type Group = (typeof GROUPS)[number];

/** The groups of pages in `docs/`, in the order of the sidebar. A page that is not named here is an emitter or background. */
const ORDER: readonly (readonly [Group, readonly string[]])[] = [
  ['Start', ['start', 'guides']],
  ['Clients', ['client', 'outputs', 'validators', 'fixtures', 'query', 'zod', 'msw', 'server', 'writing-an-emitter']],
  ['Mocks', ['mocks', 'start-data', 'scenarios', 'page', 'resources', 'writing-a-mock', 'deployment']],
  ['Tests', ['contract', 'github-action', 'proxy', 'diff', 'overlays', 'drafts']],
  ['Reference', ['glossary', 'security']],
];

/** The page that is the front page. */
const FRONT = 'docs/start.md';

/** The pages that are files of the repository: all of `docs/`, and the parts of the README that no other page has. */
export function readPages(): readonly Page[] {
  const names = listMarkdown('docs');
  const known = ORDER.flatMap(([group, pages]) =>
    pages.filter((name) => names.includes(name)).map((name) => [name, group] as const),
  );
  const rest = names
    .filter((name) => known.every(([one]) => one !== name))
    .map((name) => [name, 'Background'] as const);
  const tools = listMarkdown('docs/coming-from').map((name) => [`coming-from/${name}`, 'Coming from'] as const);
  const pages = [...known, ...tools, ...rest].map(([name, group]) => readPage(`docs/${name}.md`, name, group));
  return [...pages, readComparison()];
}

function listMarkdown(folder: string): string[] {
  return readdirSync(path.join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -3))
    .sort();
}

function readPage(source: string, name: string, group: Group): Page {
  const [, title = name, text = ''] = /^# (.*)\n([^]*)$/.exec(readFileSync(path.join(root, source), 'utf8')) ?? [];
  return { slug: source === FRONT ? '' : name, title, group, text, source };
}

/** The measured figures, which the README has with the commands that make them. */
function readComparison(): Page {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const parts = ['Beside other tools', 'Figures'].map((heading) => {
    const start = readme.indexOf(`\n## ${heading}\n`);
    const end = readme.indexOf('\n## ', start + 1);
    return readme.slice(start, end === -1 ? undefined : end);
  });
  const text = parts.join('\n').replace('\n## Beside other tools\n', '');
  return { slug: 'comparison', title: 'Comparison with other tools', group: 'Start', text, source: 'README.md' };
}
