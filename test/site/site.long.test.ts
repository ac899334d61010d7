import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { findBrokenLinks } from '../../site/check-links.js';
import { hasPackages } from '../support/missing-packages.js';

const root = path.join(import.meta.dirname, '../..');
const dist = path.join(root, 'site/dist');
const read = (file: string): string => readFileSync(path.join(dist, file), 'utf8');
const run = promisify(execFile);

describe.skipIf(!hasPackages('site'))('the site', () => {
  // `npm run site` also checks the links. Vitest sets variables that Astro reads, such as BASE_URL.
  beforeAll(() => {
    const { PATH, HOME } = process.env;
    execFileSync('npm', ['run', '--silent', 'site'], { cwd: root, stdio: 'pipe', env: { PATH, HOME } });
  }, 300_000);

  it('the site has a page for each document, each command and ten tools', () => {
    const documents = readdirSync(path.join(root, 'docs')).filter(
      (file) => file.endsWith('.md') && file !== 'start.md',
    );
    for (const file of documents) expect(read(`${file.slice(0, -3)}/index.html`)).toContain('<h1');
    expect(readdirSync(path.join(dist, 'coming-from'))).toHaveLength(10);
    const commands = read('reference/commands/index.html');
    for (const name of ['generate', 'mock', 'contract', 'diff', 'init']) expect(commands).toContain(` id="${name}"`);
    expect(read('reference/extensions/index.html')).toContain('x-pagination');
    expect(read('reference/control/index.html')).toContain('/__specmill/reset');
    expect(read('comparison/index.html')).toContain('npm run bench');
  });

  it('the site has a search index, a dark theme, and llms.txt with all pages', () => {
    expect(readdirSync(path.join(dist, 'pagefind'))).toContain('pagefind.js');
    expect(read('index.html')).toContain('starlight-theme');
    const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('index.html'),
    );
    expect(read('llms.txt').match(/^- \[/gm)).toHaveLength(pages.length);
    expect(read('llms-full.txt')).toContain('# Start in five minutes');
  });

  it('no page loads anything from another host', () => {
    const loads =
      / (?:src|srcset)="https?:|<link rel="(?:stylesheet|preload|icon)"[^>]* href="https?:|@import url\(https?:/;
    for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.html')))
      expect([file, loads.exec(read(file))?.[0]]).toEqual([file, undefined]);
  });

  it(
    'a stranger gets a typed client, a mock with own data and a contract run in CI from the front page alone',
    followFrontPage,
    300_000,
  );
});

it('the check of links finds a missing page, a missing heading and a path outside of the site', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-links-'));
  try {
    mkdirSync(path.join(folder, 'a'));
    writeFileSync(path.join(folder, 'a/index.html'), '<h2 id="here">x</h2><a href="#here"></a><a href="#gone"></a>');
    const links = ['/s/a/#here', '/s/b/', '/a/', 'a/', 'https://example.com/'].map((link) => `<a href="${link}"></a>`);
    writeFileSync(path.join(folder, 'index.html'), links.join(''));
    expect(findBrokenLinks(folder, 'https://x.example/s/').toSorted()).toEqual([
      'a/index.html: #gone',
      'index.html: /a/',
      'index.html: /s/b/',
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

interface Block {
  readonly title: string;
  readonly language: string;
  /** What the button "Copy" puts on the clipboard. */
  readonly code: string;
}

function readBlocks(html: string): Block[] {
  return [...html.matchAll(/<figure class="frame[^>]*>[^]*?<\/figure>/g)].map(([figure]) => ({
    title: /<span class="title">([^<]*)<\/span>/.exec(figure)?.[1] ?? '',
    language: /<pre data-language="(\w+)"/.exec(figure)?.[1] ?? '',
    code: unescape(/ data-code="([^"]*)"/.exec(figure)?.[1] ?? '').replaceAll('\u007f', '\n'),
  }));
}

function unescape(text: string): string {
  const names: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>' };
  return text
    .replaceAll(/&#x([\da-f]+);/gi, (_all, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replaceAll(/&#(\d+);/g, (_all, digits: string) => String.fromCodePoint(Number(digits)))
    .replaceAll(/&(\w+);/g, (all, name: string) => names[name] ?? all);
}

/** Does what the blocks of the front page say, in their order, in an empty folder. Only the package comes from this build. */
async function followFrontPage(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-stranger-'));
  const terminals: ChildProcess[] = [];
  const stop = (): void => {
    for (const { pid } of terminals.splice(0)) if (pid !== undefined) process.kill(-pid);
  };
  try {
    await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
    const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '';
    let printed = '';
    const done: string[] = [];
    for (const { title, language, code } of readBlocks(read('index.html'))) {
      done.push(title || code);
      if (language === 'sh' && title === '') {
        const command = code.replace('--save-dev specmill', `--save-dev ./${tarball}`);
        printed = (await run('bash', ['-ec', command], { cwd: folder })).stdout;
      } else if (language === 'sh') {
        terminals.push(spawn('bash', ['-ec', code], { cwd: folder, detached: true, stdio: 'ignore' }));
        await waitForMock();
      } else if (title === 'Output') expect(printed.trim()).toBe(code.trim());
      else {
        mkdirSync(path.dirname(path.join(folder, title)), { recursive: true });
        writeFileSync(path.join(folder, title), code);
      }
    }
    expect(done).toEqual(expect.arrayContaining(['client.ts', 'data.yaml', 'Output', '.github/workflows/api.yml']));
    expect(printed).toMatch(/^0 findings in \d+ requests/m);
    stop();
    await runWorkflow(folder);
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function waitForMock(): Promise<void> {
  const check = async (): Promise<void> =>
    expect((await fetch('http://127.0.0.1:4020/__specmill/health')).status).toBe(200);
  await vi.waitFor(check, { timeout: 30_000, interval: 200 });
}

interface Workflow {
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly with?: object }[] }>
  >;
}

/** The step of the workflow that uses the action, as a runner does it. */
async function runWorkflow(folder: string): Promise<void> {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules\n');
  git('init', '--quiet');
  git('add', '--all');
  git('-c', 'user.name=Ida', '-c', 'user.email=ida@example.com', 'commit', '--quiet', '--message=Start');
  const { jobs } = parse(readFileSync(path.join(folder, '.github/workflows/api.yml'), 'utf8')) as Workflow;
  const step = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .find(({ uses = '' }) => /\/specmill@/.test(uses));
  const inputs = Object.entries(step?.with ?? {}).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    String(value),
  ]);
  const { PATH, HOME } = process.env;
  const output = path.join(folder, 'output.txt');
  const env = { PATH, HOME, RUNNER_TEMP: folder, GITHUB_OUTPUT: output, INPUT_BASE: git('rev-parse', 'HEAD').trim() };
  await run('node', [path.join(root, 'action/run.mjs')], {
    cwd: folder,
    env: { ...env, ...Object.fromEntries(inputs) },
  });
  expect(readFileSync(output, 'utf8')).toMatch(/breaking=0\n[^]*findings=0\n/);
}
