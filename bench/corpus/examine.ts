import { existsSync } from 'node:fs';
import path from 'node:path';

import { runContract } from '../../entry/contract.js';
import { startMock } from '../../entry/mock.js';
import { generate } from '../../generator/generate.js';
import { loadApi } from '../../model/load-api.js';
import { hasUnsendablePath } from '../../http/routing/find-unreachable.js';
import type { Api } from '../../model/api.js';
import { refTo } from '../../model/schema-types.js';
import { packageRoot } from '../../model/package-info.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';

/** What was found in one document. */
export interface Examined {
  readonly document: string;
  readonly dialect: string;
  readonly operations: number;
  readonly schemas: number;
  /** Diagnostics of severity `error`: faults of the document. */
  readonly errors: number;
  /** Named schemas for which no valid value is found. */
  readonly withoutFixture: readonly string[];
  /** `check operation` of each finding of a contract run against the mock. */
  readonly findings: readonly string[];
  /** What was thrown, where a step could not be done. */
  readonly failure?: string;
}

const FOLDERS = ['node_modules', 'bench/specs/node_modules'];

/** The file of a document; `undefined` if its package is not installed (`npm ci --prefix bench/specs`). */
export function findDocument(packageName: string, file: string): string | undefined {
  return FOLDERS.map((folder) => path.join(packageRoot, folder, packageName, file)).find((one) => existsSync(one));
}

/** Generates from a document into a folder, and tests the mock of it. */
export async function examine(
  file: string,
  { document, out, maxTime }: { readonly document: string; readonly out: string; readonly maxTime: string },
): Promise<Examined> {
  const api = await loadApi(file);
  const facts = {
    document,
    dialect: api.dialect,
    operations: api.operations.length,
    schemas: api.schemas.size,
    errors: api.diagnostics.filter(({ severity }) => severity === 'error').length,
  };
  try {
    await generateTo(out, file);
    return { ...facts, withoutFixture: findUnfixed(api), findings: await findFindings(api, maxTime) };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { ...facts, withoutFixture: [], findings: [], failure };
  }
}

/** @throws Error if nothing is generated: that is no failure of `generate` itself. */
async function generateTo(output: string, file: string): Promise<void> {
  const { apis } = await generate({ config: { apis: { corpus: { spec: file, output } } }, cwd: path.dirname(file) });
  for (const { status, error, diagnostics } of apis) {
    if (status !== 'failed') continue;
    const broken = diagnostics.find(({ severity }) => severity === 'error');
    throw error ?? new Error(`not generated: ${broken?.pointer ?? ''} ${broken?.message ?? ''}`);
  }
}

function findUnfixed(api: Api): string[] {
  return [...api.schemas.keys()].filter((name) => {
    const schema = { $ref: refTo(name) };
    const made = generateValue(api, schema, { direction: 'response', seed: 1 });
    return !made.ok || compileValidator(api, schema, { direction: 'response' })(made.value).length > 0;
  });
}

/** A 5xx of the mock is a finding as well. */
async function findFindings(api: Api, maxTime: string): Promise<string[]> {
  // No request has a path with ? or #.
  if (api.operations.every(hasUnsendablePath)) return [];
  await using mock = await startMock(api, { seed: 1 });
  const report = await runContract({
    api,
    url: 'http://mock.test',
    fetch: mock.fetch,
    seed: 1,
    maxExamples: 3,
    maxTime,
  });
  return report.findings.map(({ check, operationId }) => `${check} ${operationId}`);
}
