import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const tour = readme.slice(readme.indexOf('## 60 seconds'), readme.indexOf('## The seven APIs'));
const run = promisify(execFile);

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of the tour with what the README shows below them. */
function readSteps(): Step[] {
  return [...tour.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block.split(/^\$ /m).flatMap((part) => {
      const [command = '', ...output] = part.trimEnd().split('\n');
      return command === '' ? [] : [{ command, output: output.join('\n') }];
    }),
  );
}

/** Times and durations differ from run to run. */
function normalise(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/ +\d+$/gm, ' N')
    .replaceAll(/ +ms$/gm, ' ms')
    .trim();
}

/** The words of the README, in an empty project with the packed tarball. */
describe('the tour of the README', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'specmill-tour-'));
  let mock: ChildProcess | undefined;

  const shell = async (command: string): Promise<string> => {
    const { stdout } = await run('bash', ['-c', command], { cwd: folder, timeout: 120_000 });
    return stdout;
  };

  /** Starts the mock and waits until it prints what the README shows. */
  const startMock = async ({ command, output }: Step): Promise<void> => {
    const child = spawn('bash', ['-c', `exec ${command}`], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      // npx starts another process: all of the group end together.
      detached: true,
    });
    mock = child;
    let text = '';
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The mock printed only: ${text}`)), 30_000);
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (!output.split('\n').every((line) => text.includes(line))) return;
        clearTimeout(timer);
        resolve();
      });
    });
  };

  beforeAll(async () => {
    // The build is there already, and other tests use it.
    await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'tour', private: true }));
    await run('bash', ['-c', 'npm install --save-dev ./specmill-*.tgz'], { cwd: folder });
    writeFileSync(path.join(folder, 'tour.ts'), /^```ts\n(.*?)^```$/ms.exec(tour)?.[1] ?? '');
  }, 300_000);
  afterAll(() => {
    if (mock?.pid !== undefined) process.kill(-mock.pid);
    rmSync(folder, { recursive: true, force: true });
  });

  it('each command of the README prints what the README shows', async () => {
    const steps = readSteps();
    expect(steps.length).toBeGreaterThan(8);
    for (const step of steps) {
      if (step.command.includes('specmill mock')) await startMock(step);
      else expect(normalise(await shell(step.command)), step.command).toBe(normalise(step.output));
    }
  }, 300_000);
});
