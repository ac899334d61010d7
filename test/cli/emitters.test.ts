import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

describe('specmill emitters', () => {
  it('lists the built-in emitters with their options', async () => {
    const { status, out } = await runCaptured(tempFolder(), 'emitters');
    expect(status).toBe(0);
    expect(out.match(/^[\w-]+(?=: )/gm)).toEqual(['msw', 'tanstack-query', 'zod', 'server']);
    expect(out).toMatch(/^  unknownKeys: \S/m);
  });

  it('lists them as JSON, with the schemas of their options', async () => {
    const { out } = await runCaptured(tempFolder(), 'emitters', '--json');
    const listed = JSON.parse(out) as readonly { name: string; options: Record<string, { default?: unknown }> }[];
    expect(listed.find(({ name }) => name === 'zod')?.options['unknownKeys']).toMatchObject({ default: 'loose' });
  });

  it.each([
    [['ejct'], 'There is no action ejct of "specmill emitters". Did you mean eject?'],
    [['--out', 'x'], '--out needs the action "eject": specmill emitters eject <name>'],
    [['eject'], 'Missing the name of the emitter: msw, tanstack-query, zod, server.'],
    [['eject', 'zot'], 'There is no built-in emitter zot. Did you mean zod?'],
    [['eject', '../zod'], 'There is no built-in emitter ../zod.'],
    [['eject', 'constructor'], 'There is no built-in emitter constructor.'],
  ])('%s is refused with one sentence', async (words, said) => {
    const folder = tempFolder();
    const { status, err } = await runCaptured(folder, 'emitters', ...words);
    expect([status, err]).toEqual([2, expect.stringContaining(said)]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('specmill emitters eject', () => {
  it('writes the source and says the line of the configuration', async () => {
    const folder = tempFolder();
    const { status, out } = await runCaptured(folder, 'emitters', 'eject', 'tanstack-query', '--out', 'tools/query');
    const files = readdirSync(path.join(folder, 'tools/query'));
    expect([status, files]).toEqual([0, expect.arrayContaining(['tanstack-query.ts', 'factories.ts'])]);
    expect(out).toContain(`Wrote ${files.length} files to tools/query.`);
    expect(out).toContain('  emitters: ["./tools/query/tanstack-query.ts"]\n');
    for (const file of files)
      expect(readFileSync(path.join(folder, 'tools/query', file), 'utf8')).not.toMatch(/from '\.\.\//);
  });

  it('writes to emitters/NAME, and nothing if one of the files exists', async () => {
    const folder = tempFolder({ 'emitters/msw/print-head.ts': 'mine' });
    const { status, err } = await runCaptured(folder, 'emitters', 'eject', 'msw');
    expect([status, err]).toEqual([2, expect.stringContaining('eject overwrites nothing')]);
    expect(err).toContain('emitters/msw/print-head.ts');
    expect(readdirSync(path.join(folder, 'emitters/msw'))).toEqual(['print-head.ts']);
    expect(readFileSync(path.join(folder, 'emitters/msw/print-head.ts'), 'utf8')).toBe('mine');
  });

  it('says as JSON what it wrote', async () => {
    const { out } = await runCaptured(tempFolder(), 'emitters', 'eject', 'zod', '--json');
    expect(JSON.parse(out)).toMatchObject({ emitter: './emitters/zod/zod.ts' });
    expect(out).toContain('emitters/zod/scope.ts');
  });
});
