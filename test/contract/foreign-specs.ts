import { readdirSync } from 'node:fs';
import path from 'node:path';

import { runContract } from '../../entry/contract.js';
import { loadApi } from '../../model/load-api.js';
import { packageRoot } from '../../model/package-info.js';
import { startMock } from '../../server/start-mock.js';

const FOLDER = path.join(packageRoot, 'node_modules/@readme/oas-examples');

/** The documents of the package, such as `3.1/json/petstore.json`. */
export const FOREIGN_SPECS: readonly string[] = ['2.0', '3.0', '3.1'].flatMap((version) =>
  readdirSync(path.join(FOLDER, version, 'json'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => `${version}/json/${file}`),
);

/**
 * Findings that no mock can avoid, as `check operation`: schemas that nothing satisfies.
 */
const UNAVOIDABLE: Readonly<Record<string, RegExp>> = {
  '3.0/json/circular-request-bodies.json': /^no server error directCircular$/,
  '3.0/json/readme-legacy.json': /^response schema /,
};

/** What a contract run finds in the mock of a document, beside what no mock can avoid. */
export async function findFaults(spec: string, maxExamples: number): Promise<string[]> {
  const api = await loadApi(path.join(FOLDER, spec));
  if (api.operations.length === 0) return [];
  const mock = await startMock(api, { seed: 1 });
  try {
    const report = await runContract({ api, url: 'http://mock.test', fetch: mock.fetch, seed: 1, maxExamples });
    const found = report.findings.map(({ check, operationId }) => `${check} ${operationId}`);
    return found.filter((one) => UNAVOIDABLE[spec]?.test(one) !== true);
  } finally {
    await mock.close();
  }
}
