import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { runCli } from '../../cli/run-cli.js';
import { captureIo } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

/** Starts `generate --watch` in a folder, and waits until it watches. */
async function startWatch(folder: string): Promise<{ texts: { err: string }; stop: () => Promise<number> }> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const { io, texts } = captureIo(folder, controller.signal);
  const status = runCli(['generate', '--watch', '--only', 'types'], io);
  await vi.waitFor(() => expect(texts.err).toContain('watching'), WAIT);
  return {
    texts,
    stop: async () => {
      controller.abort();
      return status;
    },
  };
}

const WAIT = { timeout: 8000, interval: 20 };

describe('specmill generate --watch', { timeout: 30_000 }, () => {
  const files = {
    'specmill.config.yaml': 'apis: { pets: { spec: pets.yaml, output: out } }',
    'pets.yaml': sampleSpec(),
  };

  it('regenerates on a change, also if an editor replaces the file', async () => {
    const folder = tempFolder(files);
    const types = path.join(folder, 'out/types.ts');
    const watch = await startWatch(folder);
    writeTo(folder, 'pets.yaml', sampleSpec({ description: 'First change.' }));
    await vi.waitFor(() => expect(readFileSync(types, 'utf8')).toContain('First change.'), WAIT);
    writeTo(folder, 'pets.yaml.swp', sampleSpec({ description: 'Second change.' }));
    renameSync(path.join(folder, 'pets.yaml.swp'), path.join(folder, 'pets.yaml'));
    await vi.waitFor(() => expect(readFileSync(types, 'utf8')).toContain('Second change.'), WAIT);
    expect(await watch.stop()).toBe(0);
  });

  it('prints the errors of a broken spec, keeps the old output, and continues when it is repaired', async () => {
    const folder = tempFolder(files);
    const types = path.join(folder, 'out/types.ts');
    const watch = await startWatch(folder);
    const before = readFileSync(types, 'utf8');
    writeTo(folder, 'pets.yaml', 'openapi: [');
    await vi.waitFor(() => expect(watch.texts.err).toMatch(/pets\.yaml:1:\d+ error/), WAIT);
    expect(readFileSync(types, 'utf8')).toBe(before);
    writeTo(folder, 'pets.yaml', sampleSpec({ description: 'Whole again.' }));
    await vi.waitFor(() => expect(readFileSync(types, 'utf8')).toContain('Whole again.'), WAIT);
    await watch.stop();
  });

  it('follows the configuration and files that a spec refers to', async () => {
    const folder = tempFolder({ ...files, 'parts/owner.yaml': 'type: string\n' });
    writeTo(
      folder,
      'pets.yaml',
      sampleSpec({ schemas: '    Part:\n      properties: { it: { $ref: parts/owner.yaml } }\n' }),
    );
    const watch = await startWatch(folder);
    writeTo(folder, 'parts/owner.yaml', 'type: boolean\n');
    await vi.waitFor(() => expect(readFileSync(path.join(folder, 'out/types.ts'), 'utf8')).toMatch(/boolean/), WAIT);
    writeTo(folder, 'specmill.config.yaml', 'apis: { pets: { spec: pets.yaml, output: elsewhere } }');
    await vi.waitFor(() => expect(existsSync(path.join(folder, 'elsewhere/types.ts'))).toBe(true), WAIT);
    await watch.stop();
  });

  it('exits if the first run cannot start', async () => {
    const { io } = captureIo(tempFolder());
    expect(await runCli(['generate', '--watch'], io)).toBe(2);
  });
});
