import { toLineComment, toLiteral } from '../../model/identifiers.js';
import type { Exchange, Finding, SpecSource } from '../types.js';
import { exchangesOf, printAssertion } from '../expectations/kinds.js';
import { Names } from './variable-names.js';
import { READ_AFTER_MS, type Readings, type StatedReproduction, UNCERTAIN, sentTogether } from './reproduction.js';
import { Printer } from '../expectations/printer.js';
import { type Part, type Template, type TemplateContext, takenFrom, writeTemplates } from './request-template.js';

export type TestedFinding = Pick<Finding, 'check' | 'operationId' | 'expected' | 'actual'>;

/**
 * Writes a test for vitest (or any runner with `test` and `expect`) that repeats the requests of a reproduction and
 * asserts what the spec requires. Ids are taken from earlier responses.
 */
export function toTest(
  reproduction: StatedReproduction,
  finding: TestedFinding,
  { source, ...context }: TemplateContext & { readonly source: SpecSource },
): string {
  const { steps, assertion } = reproduction;
  const templates = writeTemplates(reproduction, context);
  const names = new Names(reproduction);
  const requests = templates.flatMap((template, index) => {
    const key = steps[index]?.key;
    if (key === undefined) return [];
    const taken = takenFrom(templates, key);
    const call = callLines(template, names);
    const after = [
      ...refusalLines(reproduction, key, names),
      ...names.declareUsed(
        key,
        taken.map(({ fill }) => fill.source),
      ),
    ];
    return [{ key, call, after }];
  });
  const assertions = printAssertion(assertion, new Printer(reproduction, names, source));
  const isSpecNeeded = assertions.some((line) => line.includes('checkResponse('));
  // Printed last: only now all uses of a response are known.
  const byKey = new Map(requests.map((request) => [request.key, request]));
  const sent = sentTogether(steps).map((group) =>
    sendLines(
      group.flatMap(({ key }) => byKey.get(key) ?? []),
      names,
    ),
  );
  const judged = [
    `// Expected ${toLineComment(finding.expected.slice(0, 120))}; was ${toLineComment(finding.actual.slice(0, 120))}.`,
    ...assertions,
  ];
  return [
    `test(${toLiteral(`${finding.operationId}: ${finding.check}`)}, async () => {`,
    ...[
      ...(reproduction.uncertain === undefined ? [] : [`// ${UNCERTAIN[reproduction.uncertain]}`]),
      // Imported inside of the test: several tests may be pasted into one file.
      ...(isSpecNeeded ? ["const { checkResponse } = await import('specmill/contract');"] : []),
      ...(reproduction.readings === undefined
        ? [...sent.flat(), ...judged]
        : [...sent.slice(0, -1).flat(), ...readingLines(sent.at(-1) ?? [], judged, reproduction.readings)]),
    ].map((line) => `  ${line}`),
    // Runners end a test after 5 s, and a slow server needs more for all readings.
    reproduction.readings === undefined ? '});' : `}, ${reproduction.readings.count * READ_AFTER_MS + 30_000});`,
  ].join('\n');
}

interface PrintedRequest {
  readonly key: Exchange;
  readonly call: readonly string[];
  /** What follows the response. */
  readonly after: readonly string[];
}

/** The lines that send a request, or several at the same time. */
function sendLines(requests: readonly PrintedRequest[], names: Names): string[] {
  const after = requests.flatMap((request) => request.after);
  const [only] = requests;
  if (requests.length === 1 && only !== undefined) {
    const [first, ...rest] = only.call;
    return [`${names.declareResponse(only.key)} ${first}`, ...rest.slice(0, -1), `${rest.at(-1)};`, ...after];
  }
  const calls = requests.flatMap(({ call }) => [...call.slice(0, -1), `${call.at(-1)},`].map((line) => `  ${line}`));
  return [`${names.declareResponses(requests.map(({ key }) => key))} Promise.all([`, ...calls, ']);', ...after];
}

/** The lines that read a job again and again, and judge each response or the last one. */
function readingLines(
  read: readonly string[],
  judged: readonly string[],
  { count, judged: which }: Readings,
): string[] {
  return [
    '// A job takes time.',
    `for (let reading = 1; reading <= ${count}; reading += 1) {`,
    ...[
      `await new Promise((resolve) => setTimeout(resolve, ${READ_AFTER_MS}));`,
      ...read,
      ...(which === 'last' ? [`if (reading < ${count}) continue;`] : []),
      ...judged,
    ].map((line) => `  ${line}`),
    '}',
  ];
}

function callLines({ method, url, headers, body }: Template, names: Names): string[] {
  const code = (parts: readonly Part[]): string => partsCode(parts, names);
  return [
    `fetch(${code(url)}, {`,
    `  method: ${toLiteral(method)},`,
    `  redirect: 'manual',`,
    '  headers: {',
    ...headers.map(([name, value]) => `    ${toLiteral(name)}: ${code(value)},`),
    '  },',
    ...(body === undefined ? [] : [`  body: ${code(body)},`]),
    '})',
  ];
}

/** A server that refuses an invalid request before the last one does not have the fault. */
function refusalLines({ steps, assertion }: StatedReproduction, key: Exchange, names: Names): string[] {
  const step = steps.find((one) => one.key === key);
  const isLast = step === steps.at(-1);
  if (step?.sent.expectation.kind !== 'invalid' || step.exchange.status >= 300 || isLast) return [];
  if (exchangesOf(assertion).includes(key)) return [];
  return [`if (${names.response(key)}.status >= 400) return; // The request is invalid: refused, it shows nothing.`];
}

function partsCode(parts: readonly Part[], names: Names): string {
  const pieces = parts.map((part) => {
    if (part.kind === 'text') return toLiteral(part.text);
    if (part.kind === 'secret') return `(process.env[${toLiteral(part.name)}] ?? '')`;
    const id = names.id(part.fill.from, part.fill.source) ?? 'undefined';
    if (part.encoding === 'text') return id;
    return part.encoding === 'url' ? `encodeURIComponent(${id})` : `JSON.stringify(${id})`;
  });
  return pieces.length === 0 ? "''" : pieces.join(' + ');
}
