import { toJsonLiteral, toLineComment, toLiteral } from '../../model/identifiers.js';
import { MARKUP } from '../checks/check-status.js';
import { parseJsonText } from '../../model/document/json-text.js';
import { printShownAs } from '../shown-as.js';
import type { Exchange, Finding, Problem, SpecSource } from '../types.js';
import { memberPath } from './member-path.js';
import { exchangesOf } from '../expectations/kinds.js';
import { Names, bodyCode } from './variable-names.js';
import { type Reproduction, type Step, UNCERTAIN, readPlace } from './reproduction.js';
import { printAssertion } from '../expectations/kinds.js';
import { Printer } from '../expectations/printer.js';
import { type Part, type Template, type TemplateContext, takenFrom, writeTemplates } from './request-template.js';

export type TestedFinding = Pick<Finding, 'check' | 'operationId' | 'pointer' | 'expected' | 'actual'> &
  Pick<Problem, 'order'>;

/**
 * Writes a test for vitest (or any runner with `test` and `expect`) that repeats the requests of a reproduction and
 * asserts what the spec requires. Ids are taken from earlier responses.
 */
export function toTest(
  reproduction: Reproduction,
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
    return [{ key, lines: [...call, ...after] }];
  });
  const assertions =
    assertion.expects === 'response'
      ? assertionsOf(finding, source, { names, last: steps.at(-1) })
      : printAssertion(assertion, new Printer(reproduction, names));
  const isSpecNeeded = assertions.some((line) => line.includes('checkResponse('));
  return [
    `test(${toLiteral(`${finding.operationId}: ${finding.check}`)}, async () => {`,
    ...[
      ...(reproduction.uncertain === undefined ? [] : [`// ${UNCERTAIN[reproduction.uncertain]}`]),
      // Imported inside of the test: several tests may be pasted into one file.
      ...(isSpecNeeded ? ["const { checkResponse } = await import('specmill/contract');"] : []),
      // Printed last: only now all uses of a response are known.
      ...requests.flatMap(({ key, lines: [first, ...rest] }) => [`${names.declareResponse(key)} ${first}`, ...rest]),
      `// Expected ${toLineComment(finding.expected.slice(0, 120))}; was ${toLineComment(finding.actual.slice(0, 120))}.`,
      ...assertions,
    ].map((line) => `  ${line}`),
    '});',
  ].join('\n');
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
    '});',
  ];
}

/** A server that refuses an invalid request before the last one does not have the fault. */
function refusalLines({ steps, assertion }: Reproduction, key: Exchange, names: Names): string[] {
  const step = steps.find((one) => one.key === key);
  const isLast = step === steps.at(-1);
  if (step?.sent.expectation.kind !== 'invalid' || step.exchange.status >= 300 || isLast) return [];
  if (assertion.expects !== 'response' && exchangesOf(assertion).includes(key)) return [];
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

interface LastStep {
  readonly names: Names;
  readonly last: Step | undefined;
}

/** The variable of a value in the last request that came from an earlier response; other values as literals. */
function sentCode(json: string, { names, last }: LastStep): string {
  const fill = last?.fills.find(({ place }) => JSON.stringify(readPlace(last.sent.call, place)) === json);
  return (fill && names.id(fill.from, fill.source)) ?? toJsonLiteral(json);
}

function assertionsOf(
  { check, operationId, pointer, expected, actual, order }: TestedFinding,
  source: SpecSource,
  { names, last }: LastStep,
): string[] {
  const received = names.last;
  const status = `expect(${received}.status)`;
  switch (check) {
    case 'no server error':
    case 'server responds':
    case 'time limit':
      return [`${status}.toBeLessThan(500);`];
    case 'unsupported method':
      if (expected === 'the header Allow') return [`expect(${received}.headers.has('allow')).toBe(true);`];
      return [`${status}.toBeGreaterThanOrEqual(400);`];
    case 'unknown item refused':
    case 'invalid input refused':
    case 'authentication required':
      return [`${status}.toBeGreaterThanOrEqual(400);`, `${status}.toBeLessThan(500);`];
    case 'written as sent':
    case 'default value': {
      const code = {
        shown: `${bodyCode(received)}${memberPath(pointer, '?')}`,
        wanted: sentCode(expected, { names, last }),
      };
      return [printShownAs(code, parseJsonText(expected), order)];
    }
    case 'belongs to parent':
      return [
        `const parent = String(${sentCode(expected, { names, last })}).split('/').at(-1);`,
        // Some servers put the collection before the id, and a refusal is correct as well.
        `const shown = ${received}.ok ? ${bodyCode(received)}${memberPath(pointer, '?')} : parent;`,
        `expect(String(shown).split('/').at(-1)).toBe(parent);`,
      ];
    case 'valid input accepted':
      return [`${status}.toBeLessThan(400);`];
    case 'no echo in HTML':
      return [
        `const isPage = /html/i.test(${received}.headers.get('content-type') ?? 'text/html');`,
        `expect(isPage && (await ${received}.text()).includes(${toLiteral(MARKUP)})).toBe(false);`,
      ];
    case 'documented status':
    case 'content type':
    case 'response schema':
    case 'response headers':
    case 'event stream': {
      const place = Object.entries(source).map(([name, value]) => `${name}: ${toLiteral(value)}, `);
      const response = received === 'response' ? received : `response: ${received}`;
      const options = `{ ${place.join('')}operation: ${toLiteral(operationId)}, ${response} }`;
      return [`expect(await checkResponse(${options})).toEqual([]);`];
    }
    default:
      return [`expect(await ${received}.text()).not.toContain(${toLiteral(actual.slice(0, 80))});`];
  }
}
