import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

describe('specmill generate', () => {
  it('continues with the other APIs if one fails, and keeps its old output', async () => {
    const config = 'apis: { bad: { spec: bad.yaml, output: out/bad }, good: { spec: good.yaml, output: out/good } }';
    const folder = tempFolder({ 'specmill.config.yaml': config, 'bad.yaml': sampleSpec(), 'good.yaml': sampleSpec() });
    expect((await runCaptured(folder, 'generate', '--only', 'types')).status).toBe(0);
    const before = readFileSync(path.join(folder, 'out/bad/types.ts'), 'utf8');
    writeTo(folder, 'bad.yaml', sampleSpec().replace('schemas/Pet', 'schemas/Nothing'));
    writeTo(folder, 'good.yaml', sampleSpec({ description: 'Another.' }));
    const run = await runCaptured(folder, 'generate', '--only', 'types');
    expect(run.status).toBe(2);
    expect(run.err).toMatch(/^bad\.yaml:\d+:\d+ \/paths\/\S+ error .+\n/);
    expect(readFileSync(path.join(folder, 'out/bad/types.ts'), 'utf8')).toBe(before);
    expect(readFileSync(path.join(folder, 'out/good/types.ts'), 'utf8')).toContain('Another.');
  });

  it('keeps the old output of a spec whose paths are misspelt, and says so', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const generate = () => runCaptured(folder, 'generate', 'pets.yaml', '--out', 'out');
    expect((await generate()).status).toBe(0);
    const before = readFileSync(path.join(folder, 'out/client.ts'), 'utf8');
    writeTo(folder, 'pets.yaml', sampleSpec().replace('\npaths:', '\npath:'));
    const run = await generate();
    expect(run.status).toBe(2);
    expect(run.err).toMatch(/^pets\.yaml:4:\d+ \/path error .+ has no member "path"\. Did you mean "paths"\?/);
    expect(readFileSync(path.join(folder, 'out/client.ts'), 'utf8')).toBe(before);
  });

  it('names the diagnostics of an unchanged output', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec().replace('operationId: addOwner', 'operationId: getPet') });
    const generate = () => runCaptured(folder, 'generate', 'pets.yaml', '--out', 'out');
    expect((await generate()).err).toMatch(/warning/);
    expect((await generate()).err).toBe('specmill: pets is unchanged, with 1 diagnostic; --strict reports them\n');
  });

  it('writes nothing with --check', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const run = await runCaptured(folder, 'generate', '--spec', 'pets.yaml', '--out', 'out', '--check');
    expect(run.status).toBe(1);
    expect(existsSync(path.join(folder, 'out'))).toBe(false);
  });

  it('gives the result as data with --json', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const run = await runCaptured(
      folder,
      'generate',
      '--spec',
      'pets.yaml',
      '--out',
      'out',
      '--only',
      'types',
      '--json',
    );
    const { apis } = JSON.parse(run.out) as { apis: { name: string; status: string; changes: unknown[] }[] };
    expect(apis).toMatchObject([
      { name: 'pets', status: 'written', output: path.join(folder, 'out'), diagnostics: [] },
    ]);
    expect(apis[0]?.changes).toContainEqual({ path: 'types.ts', kind: 'added' });
  });

  it.each([
    ['pets.yaml', 'out', [], 'Pets'],
    ['pets.openapi.yaml', 'out', [], 'Pets'],
    ['openapi.yaml', 'src/animals', [], 'Animals'],
    ['pets.yaml', 'out', ['zoo'], 'Zoo'],
  ])('names the client after %s, %s, %s', async (spec, out, names, name) => {
    const folder = tempFolder({ [spec]: sampleSpec() });
    await runCaptured(folder, 'generate', ...names, '--spec', spec, '--out', out, '--only', 'client');
    expect(readFileSync(path.join(folder, out, 'README.md'), 'utf8')).toContain(`create${name}Client`);
  });

  it('treats any diagnostic as an error with --strict, also if nothing changed', async () => {
    const spec = sampleSpec().replace('operationId: getPet', 'summary: none');
    const argv = ['generate', '--spec', 'pets.yaml', '--out', 'out', '--only', 'types'];
    const folder = tempFolder({ 'pets.yaml': spec });
    expect((await runCaptured(folder, ...argv)).status).toBe(0);
    const strict = await runCaptured(folder, ...argv, '--strict');
    expect(strict.status).toBe(2);
    expect(strict.err).toMatch(/pets\.yaml:\d+:\d+ \S+ info /);
  });

  it('shows control characters of a spec as escapes', async () => {
    const folder = tempFolder({
      'pets.yaml': sampleSpec()
        .replace('schemas/Pet', String.raw`schemas/\e[31mEvil`)
        .replace("'#/components", '"#/components')
        .replace("Evil'", 'Evil"'),
    });
    const run = await runCaptured(folder, 'generate', '--spec', 'pets.yaml', '--out', 'out');
    expect(run.status).toBe(2);
    expect(run.err).toContain(String.raw`\u001b[31mEvil`);
    expect(run.err).not.toMatch(/\u001b/);
  });
});
