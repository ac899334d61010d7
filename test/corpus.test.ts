import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { CORPUS } from '../bench/corpus/documents.js';
import { examine, findDocument } from '../bench/corpus/examine.js';
import { unexplained } from '../bench/corpus/print-table.js';
import { packageRoot } from '../model/package-info.js';
import { OutputFolder } from './support/output-folder.js';

const PACKAGE = '@readme/oas-examples';

// All documents: npm run corpus.
test.each(['2.0/json/petstore.json', '3.0/json/petstore-simple.json', '3.1/json/train-travel.json'])(
  'the output for %s type-checks, and a contract run finds nothing in its mock',
  async (file) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'specmill-corpus-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const found = findDocument(PACKAGE, file);
    if (found === undefined) throw new Error(`${PACKAGE} is not installed.`);
    using output = new OutputFolder();
    const document = `${PACKAGE} ${file}`;
    const result = await examine(found, { document, out: path.join(output.folder, 'out'), maxTime: '10s' });
    expect(result).toMatchObject({ errors: 0, withoutFixture: [] });
    expect(result.failure).toBeUndefined();
    expect(unexplained(document, result.findings)).toEqual([]);
    expect(output.typeCheck()).toBe('');
  },
);

test('docs/corpus.md has a row for each document', () => {
  const page = readFileSync(path.join(packageRoot, 'docs/corpus.md'), 'utf8');
  const documents = Object.entries(CORPUS).flatMap(([name, files]) => files.map((file) => `${name} ${file}`));
  expect(documents.length).toBeGreaterThanOrEqual(60);
  for (const document of documents) expect(page).toContain(`| \`${document}\` |`);
});
