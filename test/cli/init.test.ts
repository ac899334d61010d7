import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { toTerminalText } from '../../cli/io.js';
import { runCaptured } from '../support/run-captured.js';
import { shopSpec } from '../support/shop-spec.js';
import { tempFolder } from '../support/temp-folder.js';

describe('specmill init', () => {
  it('writes a project that generates, strictly', async () => {
    const folder = tempFolder();
    expect((await runCaptured(folder, 'init')).status).toBe(0);
    const run = await runCaptured(folder, 'generate', '--strict');
    expect(run.err).toBe('');
    expect(run.status).toBe(0);
    expect((await runCaptured(folder, 'generate', '--check')).status).toBe(0);
  });

  it.each(['specmill.config.ts', 'specmill.config.yaml', 'specs/tasks/openapi.yaml'])(
    'overwrites no %s',
    async (file) => {
      const folder = tempFolder({ [file]: 'mine' });
      const run = await runCaptured(folder, 'init');
      expect(run.status).toBe(2);
      expect(run.err).toContain(file);
      expect(readFileSync(path.join(folder, file), 'utf8')).toBe('mine');
    },
  );
});

describe('specmill init --config', () => {
  it('writes the named file, and the sample spec beside it', async () => {
    const folder = tempFolder({ 'specmill.config.ts': 'mine' });
    const run = await runCaptured(folder, 'init', '--config', 'mocks/my.config.ts');
    expect(run.out.split('\n')).toEqual([
      'Wrote two files:',
      expect.stringMatching(/^  mocks\/specs\/tasks\/openapi\.yaml  a sample spec/),
      expect.stringMatching(/^  mocks\/my\.config\.ts  +the APIs of this project/),
      'Next:',
      expect.stringMatching(/^  npx specmill generate --config mocks\/my\.config\.ts  +.* to mocks\/generated\/tasks$/),
      expect.stringMatching(/^  npx specmill mock tasks --config mocks\/my\.config\.ts  /),
      '',
    ]);
    expect(readFileSync(path.join(folder, 'specmill.config.ts'), 'utf8')).toBe('mine');
    expect((await runCaptured(folder, 'generate', '--config', 'mocks/my.config.ts')).status).toBe(0);
    const again = await runCaptured(folder, 'init', '--config', 'mocks/my.config.ts');
    expect(again.err).toContain('init overwrites nothing');
  });

  it('names an existing spec as seen from the configuration', async () => {
    const spec = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': { get: { responses: {} } } } };
    const folder = tempFolder({ 'api/a.json': JSON.stringify(spec) });
    expect((await runCaptured(folder, 'init', '--spec', 'api/a.json', '--config', 'mocks/my.config.ts')).status).toBe(
      0,
    );
    expect((await runCaptured(folder, 'generate', '--config', 'mocks/my.config.ts')).status).toBe(0);
  });

  it('refuses a file that is not TypeScript', async () => {
    const run = await runCaptured(tempFolder(), 'init', '--config', 'my.yaml');
    expect(run.status).toBe(2);
    expect(run.err).toContain('name a file that ends with .ts');
  });
});

describe('specmill init --spec', () => {
  it.each([
    ['a shell', "it's $(touch pwned) `touch pwned`; touch pwned"],
    ['code', "a'] }); ${process.exit(1)} *\u2028"],
    ['lines', 'a\n# b\r\u001b[2J'],
    ['folders', '..%2f..%2fa'],
  ])('writes names as text that would be something else in %s', async (_what, name) => {
    const spec = {
      openapi: '3.1.0',
      info: { title: `${name} */`, version: '1' },
      paths: { [`/${name.replaceAll(/[{}]/g, '')}`]: { get: { operationId: name, responses: {} } } },
    };
    const folder = tempFolder({ [`specs/${name}.json`]: JSON.stringify(spec) });
    const config = `my ${name}.ts`;
    const run = await runCaptured(folder, 'init', '--spec', `specs/${name}.json`, '--config', config);
    expect([run.status, toTerminalText(run.out, { lines: true })]).toEqual([0, run.out]);
    const command = run.out.split('\n').find((line) => line.includes('npx specmill generate')) ?? '';
    const words = command
      .slice(0, command.indexOf('  writes types'))
      .replace('npx specmill', String.raw`printf '%s\0'`);
    expect(execFileSync('bash', ['-c', words], { cwd: folder, encoding: 'utf8' }).split('\0')).toEqual([
      ...['generate', '--config', config, ''],
    ]);
    expect((await runCaptured(folder, 'generate', '--config', config)).status).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['generated', config, 'specs'].toSorted());
  });

  it('counts one operation and no helper', async () => {
    const spec = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: { '/a': { get: { responses: {} } } } };
    const run = await runCaptured(tempFolder({ 'a.json': JSON.stringify(spec) }), 'init', '--spec', 'a.json');
    expect(run.out).toContain('for 1 operation, with 0 helpers to choose from');
  });

  const list = (parameters: readonly string[], body: object, more: object = {}): object => ({
    parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    responses: { 200: { description: 'OK', ...more, content: { 'application/json': { schema: body } } } },
  });
  const items = { type: 'array', items: { type: 'object' } };
  const SPEC = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/a': {
        get: {
          operationId: 'byToken',
          ...list(['pageToken', 'limit'], {
            type: 'object',
            properties: { data: items, nextPageToken: { type: 'string' } },
          }),
        },
      },
      '/b': { get: { operationId: 'byOffset', ...list(['offset', 'limit'], items) } },
      '/c': {
        get: { operationId: 'byPage', ...list(['page'], items, { headers: { Link: { schema: { type: 'string' } } } }) },
      },
      '/c2': {
        get: {
          operationId: 'byNumber',
          ...list(['pageSize'], {
            type: 'object',
            properties: { entries: items, totalCount: { type: 'integer' }, totalPrice: { type: 'integer' } },
          }),
          parameters: ['page', 'pageSize'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
        },
      },
      '/c3': { get: { operationId: 'byOpaquePage', ...list(['page'], items) } },
      '/d': { get: { operationId: 'plain', ...list(['q'], items) } },
      '/e': {
        post: {
          operationId: 'streamed',
          responses: {
            200: { description: 'OK', content: { 'text/event-stream': {} } },
            429: { description: 'Slow down' },
          },
        },
      },
      '/f': { get: { operationId: 'evil\u2028process.exit(1)', ...list(['offset', 'limit'], items) } },
    },
  };

  it('writes a configuration that generates, with proposals and unsure pages as comments and their reasons', async () => {
    const folder = tempFolder({ 'shop.json': JSON.stringify(SPEC) });
    const run = await runCaptured(folder, 'init', '--spec', 'shop.json');
    expect(run.status).toBe(0);
    expect(run.out).toContain('for 8 operations, with 2 helpers and 4 corrections to choose from');
    const config = readFileSync(path.join(folder, 'specmill.config.ts'), 'utf8');
    expect(config).toContain('// /b: byOffset pages by offset, as it takes offset and limit\n');
    expect(config).toContain('"/b": {"page":{"offset":"offset","size":"limit"}},');
    // Lists that are certain have their helper without any line.
    for (const certain of ['byToken', 'byNumber', 'plain', 'x-pagination']) expect(config).not.toContain(certain);
    expect((await runCaptured(folder, 'generate', '--only', 'types')).status).toBe(0);
  });

  it('proposes lines that the generator takes', async () => {
    const folder = tempFolder({ 'shop.json': JSON.stringify(SPEC) });
    await runCaptured(folder, 'init', '--spec', 'shop.json');
    const file = path.join(folder, 'specmill.config.ts');
    const helpersOf = async (): Promise<string[]> => {
      const run = await runCaptured(folder, 'generate');
      expect([run.status, run.err]).toEqual([0, '']);
      const helpers = readFileSync(path.join(folder, 'generated/shop/helpers.ts'), 'utf8');
      return [...helpers.matchAll(/export function (\w+Items)\(/g)].map(([, name = '']) => name);
    };
    expect(await helpersOf()).toEqual(['byTokenItems', 'byNumberItems']);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^ {6}\/\/ /gm, '      '));
    const evil = 'evilProcessExit1Items';
    const guessed = ['byOffsetItems', 'byPageItems', 'byOpaquePageItems', evil];
    expect((await helpersOf()).toSorted()).toEqual(['byTokenItems', 'byNumberItems', ...guessed].toSorted());
  });

  it('counts one operation and one helper in the singular', async () => {
    const paths = {
      '/e': { post: { responses: { 200: { description: 'OK', content: { 'text/event-stream': {} } } } } },
    };
    const folder = tempFolder({ 'shop.json': JSON.stringify({ ...SPEC, paths }) });
    const { out } = await runCaptured(folder, 'init', '--spec', 'shop.json');
    expect(out).toContain('for 1 operation, with 1 helper to choose from.\nNext:\n  npx specmill generate   writes');
  });

  it('keeps secrets out of the configuration', async () => {
    const folder = tempFolder({ 'shop.json': JSON.stringify(SPEC) });
    await runCaptured(folder, 'init', '--spec', 'shop.json', '--header', 'X-Api-Key: secret');
    const config = readFileSync(path.join(folder, 'specmill.config.ts'), 'utf8');
    expect(config).not.toContain('secret');
    expect(config).toContain('process.env["X_API_KEY"]');
  });
});

describe('specmill init --spec, for resources that can only be guessed', () => {
  it('writes the corrections that would decide as comments, and the generator takes them', async () => {
    const spec = JSON.stringify(shopSpec()).replaceAll('external_customer_id', 'key');
    const folder = tempFolder({ 'shop.json': spec });
    const run = await runCaptured(folder, 'init', '--spec', 'shop.json');
    expect(run.out).toContain('1 correction to choose from');
    const file = path.join(folder, 'specmill.config.ts');
    const config = readFileSync(file, 'utf8');
    expect(config).toMatch(/\/\/ {3}\/\/ \/customers: [^\n]+\n {6}\/\/ {3}"\/customers": {"id":"\w+"},\n/);
    writeFileSync(file, config.replaceAll(/^ {6}\/\/ /gm, '      '));
    const generated = await runCaptured(folder, 'generate');
    expect([generated.status, generated.err]).toEqual([0, '']);
    // What is corrected is not suggested again.
    const corrected = JSON.stringify({
      ...(JSON.parse(spec) as object),
      'x-resources': { '/customers': { id: 'email' } },
    });
    const other = tempFolder({ 'shop.json': corrected });
    const { out } = await runCaptured(other, 'init', '--spec', 'shop.json', '--json');
    expect(JSON.parse(out)).toMatchObject({ resources: [] });
  });
});
