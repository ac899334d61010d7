import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = path.join(import.meta.dirname, '../..');
const example = path.join(root, 'examples/ci');

interface Workflow {
  readonly jobs: { readonly contract: { readonly steps: readonly Step[] } };
}

interface Step {
  readonly name?: string;
  readonly run?: string;
}

const { jobs } = parse(readFileSync(path.join(example, 'api.yml'), 'utf8')) as Workflow;
const steps = jobs.contract.steps.filter(({ run }) => run !== undefined);

let work: string;
let project: string;
let env: NodeJS.ProcessEnv;

beforeEach(async () => {
  work = mkdtempSync(path.join(tmpdir(), 'specmill-ci-'));
  project = path.join(work, 'project');
  cpSync(example, project, { recursive: true });
  const [mockPort, port] = [await freePort(), await freePort()];
  const { PATH, HOME } = process.env;
  env = {
    ...{ PATH, HOME, MOCK_PORT: String(mockPort), PORT: String(port), GITHUB_BASE_REF: 'main', RUNNER_TEMP: work },
    ...{ GITHUB_STEP_SUMMARY: path.join(work, 'summary.md'), CI: 'true' },
  };
  install();
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=Ida', '-c', 'user.email=ida@example.com', 'commit', '--quiet', '--message=All there is');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
});

afterEach(() => rmSync(work, { recursive: true, force: true }));

/** What `npm ci` would do, if the package were published. */
function install(): void {
  mkdirSync(path.join(project, 'node_modules/.bin'), { recursive: true });
  symlinkSync(root, path.join(project, 'node_modules/specmill'));
  const command = `#!/usr/bin/env node\nimport(${JSON.stringify(path.join(root, 'dist/cli/main.js'))});\n`;
  writeFileSync(path.join(project, 'node_modules/.bin/specmill'), command, { mode: 0o755 });
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: project });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

/** As GitHub runs it: `shell: bash` is `bash --noprofile --norc -eo pipefail`. */
async function runStep(name: string): Promise<StepResult> {
  return runScript(findStep(steps, name));
}

interface StepResult {
  readonly status: number;
  readonly output: string;
}

function findStep(all: readonly Step[], name: string): Step {
  const step = all.find((one) => one.name === name);
  if (step?.run === undefined) throw new Error(`There is no step ${name}.`);
  return step;
}

async function runScript({ run = '' }: Step): Promise<StepResult> {
  const script = path.join(work, 'step.sh');
  writeFileSync(script, run);
  const options = { cwd: project, env };
  return promisify(execFile)('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], options).then(
    ({ stdout, stderr }) => ({ status: 0, output: stdout + stderr }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
      status: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

function edit(file: string, from: string, to: string): void {
  const place = path.join(project, file);
  const text = readFileSync(place, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(place, text.replaceAll(from, to));
}

const GENERATED = 'Generated code is what the spec gives';
const DIFF = 'No breaking change';
const MOCK = 'The mock keeps the contract';
const SERVER = 'The server keeps the contract';

test('this test runs every step of the workflow', () => {
  expect(steps.map(({ name }) => name)).toEqual(['Install', GENERATED, DIFF, MOCK, SERVER]);
});

test.each([GENERATED, DIFF, MOCK, SERVER])('the step of the example succeeds: %s', async (name) => {
  const { status, output } = await runStep(name);
  expect({ status, output }).toEqual({ status: 0, output: expect.any(String) as string });
});

test('the contract steps write the reports that the workflow keeps', async () => {
  await runStep(MOCK);
  await runStep(SERVER);
  for (const name of ['mock.xml', 'mock.html', 'server.xml', 'server.html'])
    expect([name, existsSync(path.join(project, 'reports', name))]).toEqual([name, true]);
});

describe('a step fails', () => {
  test('the generate step fails if the spec changed and the client did not', async () => {
    edit('specs/parcels.yaml', 'operationId: getParcel', 'operationId: findParcel');
    const { status, output } = await runStep(GENERATED);
    expect(status).toBe(1);
    expect(output).toContain('generated/operations.ts');
  });

  test('the diff step fails if a current client would break, and says so in the summary', async () => {
    edit('specs/parcels.yaml', 'required: [id, recipient, grams, state]', 'required: [id, recipient, grams]');
    expect((await runStep(DIFF)).status).toBe(1);
    expect(readFileSync(path.join(work, 'summary.md'), 'utf8')).toContain('state');
  });

  test('the contract step fails if the server breaks the spec', async () => {
    edit('server.js', 'parcels.delete(find(id).id);', 'find(id);');
    const { status, output } = await runStep(SERVER);
    expect(status).toBe(1);
    expect(output).toContain('deleteParcel');
  });
});
