import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { loadApi } from '../../model/load-api.js';
import { specFolder } from '../support/spec-folder.js';

/** The tests of the Overlay Specification. */
const SUITE = path.join(import.meta.dirname, '../../../shared/suites/overlay/tests');
const SPEC = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} });

async function findErrors(file: string): Promise<readonly string[]> {
  const folder = specFolder({ 'spec.json': SPEC, 'overlay.yaml': readFileSync(file, 'utf8') });
  try {
    const { diagnostics } = await loadApi(path.join(folder, 'spec.json'), {
      overlays: [path.join(folder, 'overlay.yaml')],
    });
    return diagnostics
      .filter(({ severity, code }) => severity === 'error' && code.startsWith('overlay'))
      .map(({ message }) => message);
  } catch (error) {
    return [String(error)];
  }
}

/** Overlay 1.2 is a draft. */
function files(kind: 'pass' | 'fail'): readonly string[] {
  if (!existsSync(SUITE)) return [];
  return ['v1.0', 'v1.1'].flatMap((version) =>
    readdirSync(path.join(SUITE, version, kind)).map((name) => path.join(version, kind, name)),
  );
}

describe.skipIf(!existsSync(SUITE))(
  'the tests of the Overlay Specification (skipped: ../shared/suites/overlay is not there)',
  () => {
    test.each(files('pass'))('accepts %s', async (file) => {
      expect(await findErrors(path.join(SUITE, file))).toEqual([]);
    });

    test.each(files('fail'))('refuses %s', async (file) => {
      expect(await findErrors(path.join(SUITE, file))).not.toEqual([]);
    });
  },
);
