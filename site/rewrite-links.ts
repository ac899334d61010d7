import { existsSync } from 'node:fs';
import path from 'node:path';

import type { Page } from './pages.js';

const root = path.join(import.meta.dirname, '..');

export interface Site {
  /** The path of the site on its host, with slashes at both ends. */
  readonly base: string;
  readonly repository: string;
  readonly pages: readonly Page[];
}

/**
 * The text of a page with links for the site: to pages of the site, to its images, and else to the file in the repository. A block of
 * code with a file name after its language gets it as its title.
 */
export function rewriteText(page: Page, site: Site): string {
  return page.text
    .split(/^(```[^]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? titleBlock(part) : rewriteLinks(part, page, site)))
    .join('');
}

function titleBlock(block: string): string {
  return block.replace(/^```(\w+) ([\w./-]+\.\w+)\n/, '```$1 title="$2"\n');
}

function rewriteLinks(text: string, page: Page, site: Site): string {
  return text.replaceAll(/\]\((?![a-z]+:)([^)#\s]*)(#[^)\s]*)?\)/g, (all, target: string, anchor = '') =>
    target === ''
      ? all
      : `](${findAddress(path.posix.join(path.posix.dirname(page.source), target), String(anchor), site)})`,
  );
}

function findAddress(file: string, anchor: string, { base, repository, pages }: Site): string {
  if (file === 'README.md') {
    const isComparison = ['#beside-other-tools', '#figures'].includes(anchor);
    return isComparison ? `${base}comparison/` : base;
  }
  if (file.startsWith('docs/images/')) return base + file.slice('docs/'.length);
  const page = pages.find(({ source }) => source === file);
  if (page !== undefined) return `${base}${page.slug === '' ? '' : `${page.slug}/`}${anchor}`;
  if (!existsSync(path.join(root, file))) throw new Error(`A document links to ${file}, which does not exist.`);
  return `${repository}/blob/main/${file}${anchor}`;
}
