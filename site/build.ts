/**
 * Writes what the site is built of, from `docs/`, the README and the schemas: pages, the sidebar, llms.txt. `npm run site`
 * then runs Astro, and checks the links of the result.
 *
 *     npm ci --prefix site && npm run site
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { GROUPS, type Page, readPages } from './pages.js';
import { makeReference } from './reference.js';
import { rewriteText } from './rewrite-links.js';

const root = path.join(import.meta.dirname, '..');
const content = path.join(import.meta.dirname, 'src/content/docs');
const files = path.join(import.meta.dirname, 'public');

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly description: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
};
const pages = [...readPages(), ...(await makeReference())];
const site = {
  base: new URL(manifest.homepage).pathname,
  repository: manifest.repository.url.replaceAll(/^git\+|\.git$/g, ''),
  pages,
};

for (const folder of [content, files]) rmSync(folder, { recursive: true, force: true });
for (const page of pages) writePage(page);
writeFileSync(path.join(import.meta.dirname, 'sidebar.json'), JSON.stringify(makeSidebar(), undefined, 2));
cpSync(path.join(root, 'docs/images'), path.join(files, 'images'), { recursive: true });
cpSync(path.join(import.meta.dirname, 'favicon.svg'), path.join(files, 'favicon.svg'));
writeFileSync(path.join(files, 'llms.txt'), makeOverview());
writeFileSync(path.join(files, 'llms-full.txt'), pages.map(({ title, text }) => `# ${title}\n${text}`).join('\n\n'));

function writePage(page: Page): void {
  const file = path.join(content, `${page.slug === '' ? 'index' : page.slug}.md`);
  mkdirSync(path.dirname(file), { recursive: true });
  const head = { title: page.title, editUrl: false, ...(page.slug === '' ? { tableOfContents: false } : {}) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  writeFileSync(file, `---\n${lines.join('\n')}\n---\n\n${rewriteText(page, site).trim()}\n`);
}

function makeSidebar(): object[] {
  return GROUPS.map((label) => ({
    label,
    collapsed: label === 'Background',
    items: pages
      .filter(({ group }) => group === label)
      .map(({ slug, title }) => {
        const name = title.replace('Coming from ', '');
        return slug === '' ? { label: name, link: '/' } : { label: name, slug };
      }),
  }));
}

/** The overview for language models (llmstxt.org): each page with its address. */
function makeOverview(): string {
  const groups = GROUPS.map((group) => {
    const own = pages.filter((page) => page.group === group);
    const lines = own.map(
      ({ slug, title }) => `- [${title}](${new URL(slug === '' ? '' : `${slug}/`, manifest.homepage).href})`,
    );
    return `## ${group}\n\n${lines.join('\n')}\n`;
  });
  const all = new URL('llms-full.txt', manifest.homepage).href;
  return `# specmill\n\n> ${manifest.description}\n\nAll pages in one file: ${all}\n\n${groups.join('\n')}`;
}
