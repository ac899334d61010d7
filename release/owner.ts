import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The owner of the repository is written in one place: `config.owner` of package.json. `npm run owner` derives all other
 * texts with the owner from it, and `npm run owner -- --check` exits with 1 if one differs.
 */
const root = path.join(import.meta.dirname, '..');

interface Manifest {
  readonly config: { readonly owner: string };
}

/** Returns the text of package.json with every member that names the owner. */
export function deriveManifest(text: string): string {
  const manifest = JSON.parse(text) as Manifest;
  const { owner } = manifest.config;
  const repository = `https://github.com/${owner}/specmill`;
  const derived = {
    homepage: `https://${owner}.github.io/specmill/`,
    bugs: { url: `${repository}/issues` },
    author: { name: 'The authors of specmill', url: `${repository}/graphs/contributors` },
    funding: { type: 'github', url: `https://github.com/sponsors/${owner}` },
    repository: { type: 'git', url: `git+${repository}.git` },
  };
  return `${JSON.stringify({ ...manifest, ...derived }, undefined, 2)}\n`;
}

/** Returns a document in which every `uses:` of the action names the owner. */
export function deriveDocument(text: string, owner: string): string {
  return text.replaceAll(/uses: [\w-]+\/specmill@/g, `uses: ${owner}/specmill@`);
}

function main(isCheck: boolean): void {
  const manifest = read('package.json');
  const { owner } = (JSON.parse(manifest) as Manifest).config;
  const wanted = new Map([['package.json', deriveManifest(manifest)]]);
  for (const file of listDocuments()) wanted.set(file, deriveDocument(read(file), owner));
  const stale = [...wanted].filter(([file, text]) => read(file) !== text);
  for (const [file, text] of stale) {
    if (isCheck) console.error(`${file} names another owner than config.owner of package.json: run "npm run owner".`);
    else writeFileSync(path.join(root, file), text);
  }
  if (isCheck && stale.length > 0) process.exitCode = 1;
}

function listDocuments(): string[] {
  const pages = readdirSync(path.join(root, 'docs')).filter((file) => file.endsWith('.md'));
  return ['README.md', ...pages.map((file) => `docs/${file}`)];
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

if (process.argv[1] === import.meta.filename) main(process.argv.includes('--check'));
