import { DRAFTS, type SuiteResult, findSuite, runSuite } from './json-schema-suite.js';

/** `npm run conformance -- DIR`: runs the JSON Schema Test Suite, and prints the table of docs/validators.md. */
const folder = process.argv[2] ?? findSuite();
if (folder === undefined) {
  console.error('Usage: npm run conformance -- DIR, where DIR holds tests/ and remotes/ of JSON-Schema-Test-Suite.');
  process.exitCode = 2;
} else {
  console.log('| draft | required: right | refused | wrong | optional: right | refused | wrong |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  for (const draft of Object.keys(DRAFTS)) {
    const required = await runSuite(folder, draft);
    const optional = await runSuite(folder, draft, 'optional');
    console.log(`| ${draft} | ${countOutcomes(required)} | ${countOutcomes(optional)} |`);
    if (process.argv.includes('--list'))
      for (const one of required) if (one.outcome !== 'right') console.error(describe(one));
  }
}

function countOutcomes(results: readonly SuiteResult[]): string {
  const count = (outcome: string): number => results.filter((one) => one.outcome === outcome).length;
  return `${count('right')} of ${results.length} | ${count('refused')} | ${count('wrong')}`;
}

function describe({ draft, file, name, outcome, codes }: SuiteResult): string {
  return `${outcome} ${draft} ${file} ${name} [${[...new Set(codes)].join()}]`;
}
