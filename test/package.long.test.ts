import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

describe('the packed package', () => {
  let packed: readonly string[] = [];
  beforeAll(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'specmill-clone-'));
    try {
      execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, folder]);
      symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
      const text = execFileSync('npm', ['pack', '--json', '--loglevel', 'error'], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      packed = [...text.matchAll(/"path": "([^"]+)"/g)].map(([, file = '']) => file);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 300_000);

  it('the package that is packed in a fresh clone contains its build', () => {
    expect(packed).toEqual(expect.arrayContaining(['dist/cli/main.js', 'dist/entry/specmill.js']));
  });

  it('the packed package contains no cache of the compiler and no source map without its source', () => {
    expect(packed.filter((file) => /\.(tsbuildinfo|map)$/.test(file))).toEqual([]);
  });

  it('the packed package contains the sources of the built-in emitters, which "emitters eject" copies', () => {
    const sources = ['msw', 'tanstack-query', 'zod', 'server'].map((name) => `generator/products/${name}/${name}.ts`);
    expect(packed).toEqual(expect.arrayContaining(sources));
  });

  it('each relative link of a packed document leads to a packed file', () => {
    const documents = packed.filter((file) => file.endsWith('.md'));
    const links = documents.flatMap((document) =>
      [...readFileSync(path.join(root, document), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)].map(
        ([, link = '']) => ({ document, file: path.posix.join(path.posix.dirname(document), link) }),
      ),
    );
    const isPacked = (file: string): boolean => packed.some((one) => one === file || one.startsWith(`${file}/`));

    expect(documents).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/mocks.md']));
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter(({ file }) => !isPacked(file))).toEqual([]);
  });
});
