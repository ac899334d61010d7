import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';

import { type ContractReport, type Finding, toJunit, toMarkdown, toText } from '../../entry/contract.js';

const SCHEMA = path.join(import.meta.dirname, 'specs/junit.xsd');

/** What libxml2 says about a document: whether it is well-formed and fits the schema. */
async function validate(xml: string): Promise<string[]> {
  const schema = await readFile(SCHEMA, 'utf8');
  const { errors } = await validateXML({
    xml: { fileName: 'report.xml', contents: xml },
    schema: { fileName: 'junit.xsd', contents: schema },
    maxMemoryPages: 4_096,
  });
  return errors.map(({ message }) => message);
}

/** Every unit of UTF-16 there is, the halves of pairs alone, and what ends a section or a comment. */
const EVERYTHING = `${Array.from({ length: 0x1_00_00 }, (_, unit) => String.fromCharCode(unit)).join('')}]]>--><![CDATA[&#0;\u{1f600}`;

function makeReport(findings: readonly Partial<Finding>[], change: Partial<ContractReport> = {}): ContractReport {
  const operation = {
    operationId: 'getBook',
    method: 'GET',
    path: '/books/{bookId}',
    statuses: { 200: 3 },
    unseen: [],
  };
  return {
    api: 'library',
    url: 'http://127.0.0.1:4010/',
    startedAt: '2026-01-01T10:00:00.123Z',
    seed: 1,
    repeat: 'specmill contract library --url http://127.0.0.1:4010/',
    phases: ['examples'],
    operations: 2,
    requests: 3,
    durationMs: 1_234,
    notes: [],
    failOn: 'warning',
    unreached: [],
    changed: [],
    deleted: 0,
    notDeleted: [],
    reach: { succeeded: ['getBook'], refused: [], notSent: ['listBooks'], reasons: { listBooks: EVERYTHING } },
    findings: findings.map((finding) => ({
      check: 'response schema',
      severity: 'warning',
      phase: 'examples',
      operationId: 'getBook',
      status: 200,
      pointer: '/pages',
      message: '/pages must be integer.',
      expected: 'must be integer',
      actual: '"180"',
      curl: "answer1=$(curl -sS 'http://127.0.0.1:4010/')\ncurl 'http://127.0.0.1:4010/'",
      test: '',
      count: 1,
      ...finding,
    })),
    coverage: {
      operations: [
        { ...operation, requests: 3 },
        { ...operation, operationId: 'listBooks', statuses: {}, requests: 0 },
      ],
      keywords: { type: { broken: 1, places: 2 } },
    },
    ...change,
  };
}

test.each([
  ['no finding', makeReport([])],
  ['findings', makeReport([{}, { operationId: 'getBook', status: 0, pointer: '' }])],
  ['findings with the same name', makeReport([{}, {}, {}])],
  ['a duration of 0 and no name', makeReport([], { api: '', durationMs: 0, stopped: 'max-time' })],
  [
    'hostile text everywhere',
    makeReport(
      [{ message: EVERYTHING, pointer: EVERYTHING, expected: EVERYTHING, actual: EVERYTHING, curl: EVERYTHING }],
      {
        api: EVERYTHING,
        repeat: EVERYTHING,
      },
    ),
  ],
])('a report with %s is valid against the JUnit schema', async (_name, report) => {
  expect(await validate(toJunit(report))).toEqual([]);
});

test('the JUnit schema rejects reports that readers cannot parse', async () => {
  const xml = toJunit(makeReport([{}, { check: 'content type' }]));
  expect(await validate(xml.replace(' hostname="localhost"', ''))).not.toEqual([]);
  expect(await validate(xml.replaceAll('content type', 'response schema'))).not.toEqual([]);
  expect(await validate(xml.replace('180', '\u0001'))).not.toEqual([]);
});

test('commands in JUnit keep their line breaks and quotes', () => {
  const xml = toJunit(makeReport([{}]));
  expect(xml).toContain("answer1=$(curl -sS 'http://127.0.0.1:4010/')\ncurl 'http://127.0.0.1:4010/'</failure>");
});

test('reports for people show at most ten lines of commands, else the last request and where the rest is', () => {
  const requests = Array.from({ length: 12 }, (_, index) => `response${index}=$(curl -sS 'http://x/${index}')`);
  const last = ["curl -sS -i 'http://x/last' --data-raw 'one", "two'"];
  const commands = (lines: readonly string[]): Partial<Finding> => ({ curl: lines.join('\n') });
  const report = makeReport([
    commands(['# Busy.', ...requests, ...last]),
    commands([...requests.slice(0, 8), ...last]),
  ]);
  for (const text of [toText(report).join('\n'), toJunit(report), toMarkdown(report)]) {
    expect(text).not.toContain('http://x/11');
    expect(text).toContain('# 12 earlier lines: --json or --report json=FILE has all of them.');
    expect(text.split('http://x/last')).toHaveLength(3);
    expect(text.split('http://x/7')).toHaveLength(2);
    expect(text).toContain('# Busy.');
  }
});
