import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { packageRoot } from '../../model/package-info.js';
import { printCauses } from './causes.js';
import { CORPUS } from './documents.js';
import type { Examined } from './examine.js';
import { examineDocuments } from './examine-folder.js';
import { type CorpusDocument, findCollected, findDocuments, findInPackage } from './find-documents.js';
import { isClean, unexplained } from './own-faults.js';
import { printTable } from './print-table.js';

/**
 * `npm run corpus -- FOLDER [PART...]` takes the documents of a folder, or those whose names contain a part, through
 * every room, and prints how many are clean in all of them, with the causes of the others. Without a folder, it does so
 * with the documents of npm packages, and writes docs/corpus.md.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'max-time': { type: 'string', default: '6s' },
    limit: { type: 'string', default: '120' },
    processes: { type: 'string', default: String(availableParallelism()) },
    json: { type: 'string' },
  },
});
const [folder, ...parts] = positionals;
if (folder === undefined) await runPackages();
else await runFolder(folder);

async function runFolder(at: string): Promise<void> {
  const documents = findDocuments(path.resolve(at));
  const results = await run(
    documents.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part))),
  );
  process.stdout.write(printCauses(results));
}

async function runPackages(): Promise<void> {
  const named = Object.entries(CORPUS).flatMap(([name, files]) => files.flatMap((file) => findNamed(name, file)));
  const rows = await run(named);
  const known = new Set(named.map(({ file }) => file));
  const others = await run(findCollected().filter(({ file }) => !known.has(file)));
  const causes = printCauses(others);
  process.stdout.write(`${printCauses(rows)}${causes}`);
  const figures = `Of ${others.length} further documents of these packages, ${others.filter(isClean).length} are clean in all rooms:\n\n\`\`\`\n${causes}\`\`\`\n`;
  writeFileSync(path.join(packageRoot, 'docs/corpus.md'), printTable(rows, figures));
}

function findNamed(packageName: string, file: string): CorpusDocument[] {
  const found = findInPackage(packageName, file);
  if (found === undefined) process.stderr.write(`${packageName} is not installed: npm ci --prefix bench/specs\n`);
  return found === undefined ? [] : [{ name: `${packageName} ${file}`, file: found }];
}

async function run(documents: readonly CorpusDocument[]): Promise<Examined[]> {
  const results = await examineDocuments(documents, {
    maxTime: values['max-time'],
    limit: Number(values.limit),
    processes: Number(values.processes),
    onExamined: (one) => void process.stderr.write(describe(one)),
  });
  if (values.json !== undefined)
    writeFileSync(values.json, results.map((one) => `${JSON.stringify(one)}\n`).join(''), { flag: 'a' });
  return results;
}

/** A line for a document that has been examined, and one for each of its faults. */
function describe(one: Examined): string {
  const faults = unexplained(one).map(({ room, cause, detail }) => `  ${room}: ${cause} ${detail.slice(0, 300)}\n`);
  return `${isClean(one) ? 'clean' : 'not clean'} ${one.document}\n${faults.join('')}`;
}
