/** Checks each link of the built site that leads to the site itself: its page, its file, its heading. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'dist');
const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
  readonly homepage: string;
};

/** The broken links of a folder of HTML files that is served at an address: `page: link`. */
export function findBrokenLinks(site: string, home: string): string[] {
  const { origin, pathname } = new URL(home);
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.html') && file !== '404.html',
  );
  const texts = new Map(pages.map((file) => [file, readFileSync(path.join(site, file), 'utf8')]));
  const broken = (file: string, link: string): boolean => {
    const address = new URL(link.replaceAll('&amp;', '&'), new URL(file.replace(/index\.html$/, ''), home));
    if (address.origin !== origin) return false;
    if (!address.pathname.startsWith(pathname)) return true;
    const target = decodeURIComponent(address.pathname.slice(pathname.length));
    const found = [target, path.join(target, 'index.html')].find(
      (one) => existsSync(path.join(site, one)) && statSync(path.join(site, one)).isFile(),
    );
    if (found === undefined) return true;
    const id = decodeURIComponent(address.hash.slice(1));
    return id !== '' && !(texts.get(found) ?? '').includes(` id="${id}"`);
  };
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/ (?:href|src)="(?!data:|mailto:)([^"]+)"/g)]
      .map(([, link = '']) => link)
      .filter((link) => broken(file, link))
      .map((link) => `${file}: ${link}`),
  );
}

if (process.argv[1] === import.meta.filename) {
  const broken = findBrokenLinks(folder, manifest.homepage);
  for (const line of broken) console.error(line);
  if (broken.length > 0) process.exitCode = 1;
}
