import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { runCaptured } from '../support/run-captured.js';
import { tempFolder } from '../support/temp-folder.js';

const SPEC = `openapi: 3.1.0
info: { title: Search, version: 1.0.0 }
paths:
  /vendor/search:
    get:
      operationId: vendorSearch
      parameters: [{ name: X-Vendor-Key, in: header, schema: { type: string, enum: [VENDOR_A] } }]
      responses: { '200': { description: 'Of the vendor.' } }
`;

it('--vendor overrides the configuration, and a changed one regenerates the output', async () => {
  const config = 'apis: { search: { spec: spec.yaml, output: out, vendor: "acme,header=ac" } }';
  const folder = tempFolder({ 'spec.yaml': SPEC, 'specmill.config.yaml': config });
  const read = (file: string): string => readFileSync(path.join(folder, 'out', file), 'utf8');
  await runCaptured(folder, 'generate', '--only', 'types,client');
  expect(read('operations.ts')).toContain('function acmeSearch(');
  expect(read('types.ts')).toContain("'X-Ac-Key'?: 'ACME_A' | undefined");
  expect((await runCaptured(folder, 'generate', '--only', 'types,client', '--check', '--vendor', 'other')).status).toBe(
    1,
  );
  await runCaptured(folder, 'generate', '--only', 'types,client', '--vendor', 'other');
  expect(read('types.ts')).toContain("'X-Other-Key'?: 'OTHER_A' | undefined");
  expect((await runCaptured(folder, 'generate', '--only', 'types,client', '--check', '--vendor', 'other')).status).toBe(
    0,
  );
  expect((await runCaptured(folder, 'generate', '--only', 'types,client', '--check')).status).toBe(1);
});

it.each([
  ['--vendor', 'a b'],
  ['--vendor', 'acme,heder=x'],
])('%s %j is refused in one sentence', async (...flags) => {
  const folder = tempFolder({ 'spec.yaml': SPEC });
  const { status, err } = await runCaptured(folder, 'generate', '--spec', 'spec.yaml', '--out', 'out', ...flags);
  expect(status).toBe(2);
  expect(err).toMatch(/vendor/);
  expect(err).not.toMatch(/ {4}at /);
});
