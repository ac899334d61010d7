import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { CORPUS } from '../bench/corpus/documents.js';
import { examine } from '../bench/corpus/examine.js';
import { findInPackage } from '../bench/corpus/find-documents.js';
import { unexplained } from '../bench/corpus/own-faults.js';
import { runContract } from '../entry/contract.js';
import { type MockCall, startMock } from '../entry/mock.js';
import { loadApi } from '../model/load-api.js';
import { packageRoot } from '../model/package-info.js';
import { OutputFolder } from './support/output-folder.js';

const PACKAGE = '@readme/oas-examples';

// All documents: npm run corpus.
test.each(['2.0/json/petstore.json', '3.0/json/petstore-simple.json', '3.1/json/train-travel.json'])(
  'the output for %s type-checks, and a contract run finds nothing in its mock',
  async (file) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'specmill-corpus-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const found = findInPackage(PACKAGE, file);
    if (found === undefined) throw new Error(`${PACKAGE} is not installed.`);
    using output = new OutputFolder();
    const document = { name: `${PACKAGE} ${file}`, file: found };
    const result = await examine(document, { out: path.join(output.folder, 'out'), maxTime: '10s' });
    expect(result).toMatchObject({ errors: 0, withoutFixture: [] });
    expect(unexplained(result)).toEqual([]);
    expect(output.typeCheck()).toBe('');
  },
);

// Those that `npm ci` installs; `npm run corpus` counts a 5xx of each document as a finding.
test.each(CORPUS[PACKAGE] ?? [])('the mock of %s responds to no valid request with a 5xx', async (file) => {
  const found = findInPackage(PACKAGE, file);
  if (found === undefined) throw new Error(`${PACKAGE} is not installed.`);
  const failures = new Set<string>();
  const onCall = ({ status, operationId, violations, notes = [] }: MockCall): void => {
    if (status >= 500) failures.add(`${operationId} ${status} ${JSON.stringify([...violations, ...notes])}`);
  };
  const api = await loadApi(found);
  await using mock = await startMock(api, { seed: 1, onCall });
  if (api.operations.length > 0)
    await runContract({
      ...{ api, url: 'http://mock.test', fetch: mock.fetch, seed: 1 },
      ...{ phases: ['examples', 'stateful'], maxExamples: 1, maxTime: '5s' },
    });
  expect([...failures]).toEqual([]);
});

test('docs/corpus.md has a row for each document', () => {
  const page = readFileSync(path.join(packageRoot, 'docs/corpus.md'), 'utf8');
  const documents = Object.entries(CORPUS).flatMap(([name, files]) => files.map((file) => `${name} ${file}`));
  expect(documents.length).toBeGreaterThanOrEqual(60);
  for (const document of documents) expect(page).toContain(`| \`${document}\` |`);
});
