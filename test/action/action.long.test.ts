import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = path.join(import.meta.dirname, '../..');

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly runs: { readonly using: string; readonly main: string };
}

const action = parse(readFileSync(path.join(root, 'action.yml'), 'utf8')) as Action;

interface Call {
  readonly method: string;
  readonly url: string;
  readonly token: string | undefined;
  readonly body: string;
}

/** The interface of GitHub for comments, as far as the action uses it. */
let github: Server;
let calls: Call[] = [];
let comments: { readonly id: number; readonly body: string }[] = [];
let status = 200;

beforeAll(async () => {
  github = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      calls.push({ method, url, token: request.headers.authorization, body });
      if (method === 'POST') comments.push({ id: 7, body: (JSON.parse(body) as { body: string }).body });
      response.writeHead(method === 'GET' ? 200 : status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(method === 'GET' ? comments : {}));
    });
  });
  await new Promise<void>((resolve) => void github.listen(0, '127.0.0.1', resolve));
});
afterAll(() => github.close());

let work: string;
let project: string;
let base: string;

beforeEach(() => {
  calls = [];
  comments = [];
  status = 200;
  work = mkdtempSync(path.join(tmpdir(), 'specmill-action-'));
  project = path.join(work, 'project');
  cpSync(path.join(root, 'examples/ci'), project, { recursive: true });
  mkdirSync(path.join(project, 'node_modules'));
  symlinkSync(root, path.join(project, 'node_modules/specmill'));
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=Ida', '-c', 'user.email=ida@example.com', 'commit', '--quiet', '--message=All there is');
  base = git('rev-parse', 'HEAD').trim();
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: project, encoding: 'utf8' });
}

function edit(file: string, from: string, to: string): void {
  const place = path.join(project, file);
  const text = readFileSync(place, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(place, text.replaceAll(from, to));
}

interface Result {
  readonly status: number | null;
  readonly output: string;
  readonly outputs: string;
  readonly summary: string;
}

/** Runs the script of action.yml as a runner does: inputs with their defaults as variables, and the event in a file. */
async function runAction(inputs: Readonly<Record<string, string>>, variables: NodeJS.ProcessEnv = {}): Promise<Result> {
  const files = { GITHUB_OUTPUT: 'output.txt', GITHUB_STEP_SUMMARY: 'summary.md', GITHUB_EVENT_PATH: 'event.json' };
  const places = Object.entries(files).map(([name, file]) => [name, path.join(work, file)]);
  writeFileSync(path.join(work, 'output.txt'), '');
  writeFileSync(path.join(work, 'summary.md'), '');
  writeFileSync(path.join(work, 'event.json'), JSON.stringify({ pull_request: { number: 12, base: { sha: base } } }));
  const values = Object.entries(action.inputs).map(([name, input]) => [
    `INPUT_${name.toUpperCase()}`,
    inputs[name] ?? input.default?.replace('${{ github.token }}', 'secret-token') ?? '',
  ]);
  const { PATH, HOME } = process.env;
  const { port } = github.address() as AddressInfo;
  const child = spawn(process.execPath, [path.join(root, action.runs.main)], {
    cwd: project,
    env: {
      ...{ PATH, HOME, CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: project, RUNNER_TEMP: work },
      ...{ GITHUB_API_URL: `http://127.0.0.1:${port}`, GITHUB_REPOSITORY: 'ada/parcels' },
      ...(Object.fromEntries([...places, ...values]) as NodeJS.ProcessEnv),
      ...variables,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += String(part)));
  const code = await new Promise<number | null>((resolve) => void child.on('close', resolve));
  const read = (file: string): string => readFileSync(path.join(work, file), 'utf8');
  return { status: code, output, outputs: read('output.txt'), summary: read('summary.md') };
}

const REQUIRED = 'required: [id, recipient, grams, state]';

describe('the GitHub Action', () => {
  it('each input and output of action.yml is read or written by the scripts, and no other one', () => {
    const scripts = readdirSync(path.join(root, 'action')).map((file) =>
      readFileSync(path.join(root, 'action', file), 'utf8'),
    );
    const text = scripts.join('\n');
    const named = [...text.matchAll(/read(?:Input|Lines)\('([\w-]+)'\)/g)].map(([, name = '']) => name);
    expect([...new Set(named)].sort()).toEqual(Object.keys(action.inputs).sort());
    for (const name of Object.keys(action.outputs)) expect(text).toContain(`'${name}'`);
    expect(action.runs).toEqual({ using: 'node24', main: 'action/run.mjs' });
  });

  it('a pull request without changes passes, without a comment', async () => {
    const result = await runAction({ specs: 'specs/parcels.yaml' });
    expect([result.status, result.output]).toEqual([0, expect.any(String)]);
    expect(result.outputs).toContain('breaking=0\nrisky=0\n');
    expect(calls.map(({ method }) => method)).toEqual(['GET']);
  });

  it('a breaking change fails, is annotated and is in a comment, which a later run updates', async () => {
    edit('specs/parcels.yaml', REQUIRED, 'required: [id, recipient, grams]');
    const inputs = { specs: 'specs/parcels.yaml', generate: 'false' };
    const first = await runAction(inputs);

    expect(first.status).toBe(1);
    expect(first.output).toMatch(/^::error file=specs\/parcels\.yaml,line=\d+,col=\d+,title=breaking change/m);
    expect(first.outputs).toContain('breaking=1\n');
    expect(first.summary).toContain('### Breaking');
    const [, post] = calls;
    expect(post).toMatchObject({
      method: 'POST',
      url: '/repos/ada/parcels/issues/12/comments',
      token: 'Bearer secret-token',
    });
    expect((JSON.parse(post?.body ?? '') as { body: string }).body).toContain('`specs/parcels.yaml`');

    edit('specs/parcels.yaml', 'required: [id, recipient, grams]', REQUIRED);
    expect((await runAction(inputs)).status).toBe(0);
    expect(calls.at(-1)).toMatchObject({ method: 'PATCH', url: '/repos/ada/parcels/issues/comments/7' });
    expect(comments).toHaveLength(1);
  });

  it('a token that may not write is a warning, and the summary has the changes', async () => {
    status = 403;
    edit('specs/parcels.yaml', REQUIRED, 'required: [id, recipient, grams]');
    const result = await runAction({ specs: 'specs/parcels.yaml', generate: 'false', 'fail-on': 'none' });
    expect(result.status).toBe(0);
    expect(result.output).toMatch(/^::warning::The comment was not written: GitHub responded with 403/m);
    expect(result.output).not.toContain('secret-token');
    expect(result.summary).toContain('### Breaking');
  });

  it('a spec that the base does not have is new, and one that cannot be read fails', async () => {
    cpSync(path.join(project, 'specs/parcels.yaml'), path.join(project, 'specs/more.yaml'));
    edit('specs/parcels.yaml', 'openapi: 3.1.0', 'openapi: [');
    const result = await runAction({
      specs: 'specs/more.yaml\nspecs/parcels.yaml',
      generate: 'false',
      comment: 'false',
    });
    expect(result.status).toBe(1);
    expect(result.summary).toContain('## `specs/more.yaml`\n\nThis spec is new.');
    expect(result.output).toContain('::error::specs/parcels.yaml cannot be compared with');
    expect(calls).toEqual([]);
  });

  it('a shallow checkout fetches the base', async () => {
    edit('specs/parcels.yaml', 'title: Parcels', 'title: Packages');
    git('-c', 'user.name=Ida', '-c', 'user.email=ida@example.com', 'commit', '--quiet', '-am', 'Another title');
    const origin = path.join(work, 'origin');
    execFileSync('git', ['clone', '--quiet', project, origin]);
    rmSync(path.join(project, '.git'), { recursive: true });
    execFileSync('git', ['clone', '--quiet', '--bare', '--depth=1', `file://${origin}`, path.join(project, '.git')]);
    git('config', 'core.bare', 'false');
    expect(() => git('cat-file', '-e', `${base}^{commit}`)).toThrow('Command failed');

    const result = await runAction({ specs: 'specs/parcels.yaml', generate: 'false' });
    expect([result.status, result.output]).toEqual([0, expect.any(String)]);
    expect(result.outputs).toContain('breaking=0\n');
  });

  it('generated code that is out of date fails with an annotation', async () => {
    edit('specs/parcels.yaml', 'operationId: getParcel', 'operationId: findParcel');
    const result = await runAction({});
    expect(result.status).toBe(1);
    expect(result.output).toContain('differs  operations.ts');
    expect(result.output).toMatch(/^::error::Generated code is out of date/m);
  });

  it('a server is started, tested and stopped; a mistake in it fails with an annotation and the summary', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/v1`;
    const inputs = {
      contract: 'parcels',
      start: 'node server.js',
      'server-url': url,
      header: 'Authorization: Bearer ci',
    };
    const good = await runAction(
      { ...inputs, 'contract-options': '--phase=examples,stateful' },
      { PORT: String(port) },
    );
    expect([good.status, good.output]).toEqual([0, expect.any(String)]);
    expect(good.outputs).toContain('findings=0\n');
    await expect(fetch(`${url}/parcels`)).rejects.toThrow('fetch failed');

    edit('server.js', 'parcels.delete(find(id).id);', 'find(id);');
    const bad = await runAction({ ...inputs, 'contract-options': '--phase=examples,stateful' }, { PORT: String(port) });
    expect(bad.status).toBe(1);
    expect(bad.output).toMatch(/^::(?:error|warning) .*deleteParcel/m);
    expect(bad.summary).toContain('deleteParcel');
    expect(bad.outputs).toMatch(/^findings=[1-9]/m);
  });

  it('a contract run without the address of a server says which input is missing', async () => {
    const result = await runAction({ contract: 'parcels', generate: 'false' });
    expect(result.status).toBe(1);
    expect(result.output).toContain('::error::The input contract needs the input server-url.');
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
