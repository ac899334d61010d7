import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { mergeChangelog } from '../../release/changelog.js';
import { deriveDocument, deriveManifest } from '../../release/owner.js';

const root = path.join(import.meta.dirname, '../..');
const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');

describe('the owner of the repository', () => {
  it('package.json and all documents name the owner that config.owner has', () => {
    const run = spawnSync('npm', ['run', '--silent', 'owner', '--', '--check'], { cwd: root, encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([0, '']);
  });

  it('another owner in config.owner changes every member with an address', () => {
    const changed = deriveManifest(manifest.replace('"owner": "specmill"', '"owner": "ada"'));
    expect(changed.match(/ada[/.]/g)).toHaveLength(4);
    expect(changed).toContain('https://github.com/sponsors/ada');
    expect(changed).not.toMatch(/github\.com\/specmill|specmill\.github/);
    expect(deriveDocument('- uses: specmill/specmill@v0\n', 'ada')).toBe('- uses: ada/specmill@v0\n');
  });

  it('no other file of the repository names the owner', () => {
    const owned = String.raw`github\.com/[a-z-]+/specmill|specmill\.github\.io`;
    const run = spawnSync('git', ['grep', '-lE', owned, '--', ':!test'], { cwd: root, encoding: 'utf8' });
    expect(run.stdout).toBe('package.json\n');
  });
});

describe('the changelog of a release', () => {
  const before = '# Changelog\n\nThe format follows X.\n\n';
  const unreleased = '## Unreleased\n\n### Added\n\n- A flag.\n\n### Changed\n\n- A name.\n';

  it('the lines of changesets and of "Unreleased" are one section under the headings for users', () => {
    const written = `# Changelog\n\n## 0.2.0\n\n### Minor Changes\n\n- A command.\n\n### Patch Changes\n\n- A mistake.\n\nThe format follows X.\n\n${unreleased}\n## 0.1.0\n\nFirst.\n`;
    expect(mergeChangelog(written, '0.2.0', '2026-12-01')).toBe(
      `${before}## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n### Added\n\n- A command.\n- A flag.\n\n### Changed\n\n- A name.\n\n### Fixed\n\n- A mistake.\n\n## 0.1.0\n\nFirst.\n`,
    );
  });

  it('a version whose only lines are those of "Unreleased" gets them', () => {
    expect(mergeChangelog(before + unreleased, '0.2.0', '2026-12-01')).toContain('## 0.2.0 (2026-12-01)\n\n### Added');
  });
});

describe('the release scripts', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'specmill-release-'));
    for (const name of ['package.json', 'CHANGELOG.md', '.changeset', 'release'])
      cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
    writeFileSync(path.join(folder, '.changeset/a.md'), "---\n'specmill': minor\n---\n\nMocks whistle.\n");
    writeFileSync(path.join(folder, 'package-lock.json'), '{}');
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: folder });
    execFileSync('git', ['init', '--quiet', '--bare', 'origin.git'], { cwd: folder });
    execFileSync('git', ['remote', 'add', 'origin', './origin.git'], { cwd: folder });
    execFileSync(
      'git',
      ['-c', 'user.name=I', '-c', 'user.email=i@example.com', 'commit', '--quiet', '--allow-empty', '-m', 'A'],
      {
        cwd: folder,
      },
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const { version } = JSON.parse(manifest) as { readonly version: string };

  it('release:version makes the next version and its section of the changelog from changesets', () => {
    execFileSync('npm', ['run', '--silent', 'release:version'], { cwd: folder, stdio: 'pipe' });
    const next = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { readonly version: string };
    const changelog = readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8');

    expect(next.version).not.toBe(version);
    expect(changelog).toMatch(
      new RegExp(`^## Unreleased\n\n## ${next.version} \\(\\d{4}-\\d\\d-\\d\\d\\)\n\n### Added\n`, 'm'),
    );
    expect(changelog).toContain('\n- Mocks whistle.\n');
    expect(changelog).not.toContain('Minor Changes');
  });

  /** Runs publish.sh with an `npm` and a `gh` that write down their arguments. */
  const publish = (onNpm: string, ...args: readonly string[]): string => {
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    const log = path.join(folder, 'calls.txt');
    const npm = `#!/bin/sh\n[ "$1" = view ] && { echo "${onNpm}"; exit; }\necho "npm $*" >>"${log}"\n`;
    writeFileSync(path.join(bin, 'npm'), npm, { mode: 0o755 });
    writeFileSync(path.join(bin, 'gh'), `#!/bin/sh\necho "gh $*" >>"${log}"\n`, { mode: 0o755 });
    writeFileSync(log, '');
    const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
    execFileSync('bash', ['release/publish.sh', ...args], { cwd: folder, env });
    return readFileSync(log, 'utf8');
  };

  it('a version that npm has is not published again', () => expect(publish(version)).toBe(''));

  it('a version that npm does not have is published, and gets a release and the tag of the action', () => {
    expect(publish('')).toMatch(new RegExp(`^npm publish\ngh release create v${version} --target [0-9a-f]{40} .*\n$`));
    const tags = execFileSync('git', ['ls-remote', '--tags', 'origin'], { cwd: folder, encoding: 'utf8' });
    expect(tags).toMatch(new RegExp(`refs/tags/v${version.split('.')[0]}\n$`));
  });

  it('a canary has the version, the time and the commit, and the tag canary', () =>
    expect(publish('', '--canary')).toMatch(
      new RegExp(
        `^npm version --no-git-tag-version ${version}-canary\\.\\d{14}\\.[0-9a-f]{7,}\nnpm publish --tag canary\n$`,
      ),
    ));
});
