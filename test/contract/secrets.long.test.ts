import { beforeAll, expect, test } from 'vitest';

import {
  type ContractReport,
  runContract,
  toAnnotations,
  toHtml,
  toJunit,
  toMarkdown,
  toSarif,
  toText,
} from '../../entry/contract.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { CONTENT, JSON_TYPE, KINDS, OWN_PARAMETERS, SECRET } from '../support/secret-kinds.js';

const secretOf = (index: number): string => `HIDE${index}ME`;

/** An operation for each kind, so that each has findings of its own. */
const responses = { 200: { description: 'ok', content: { [JSON_TYPE]: {} } } };
const DOCUMENT = documentWith(
  Object.fromEntries(
    Object.values(KINDS).map(({ target = '/things' }, index) => {
      const isPath = target.startsWith('/secret/');
      const inPath = { name: 'it', in: 'path', required: true, schema: SECRET };
      const post = {
        operationId: `send${index}`,
        parameters: isPath ? [...OWN_PARAMETERS, inPath] : OWN_PARAMETERS,
        requestBody: { content: CONTENT },
        responses,
      };
      return [isPath ? `/k${index}/{it}` : `/k${index}`, { post }];
    }),
  ),
);

let report: ContractReport;
/** Everything that a run writes, by the name of the report. */
let shown: Readonly<Record<string, string>>;

/** Fails, and sends the body and a credential back. */
const send: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const back = { 'content-type': request.headers.get('content-type') ?? JSON_TYPE, 'x-auth-token': 'HIDE999ME' };
  return new Response(await request.text(), { status: 500, headers: back });
};

beforeAll(async () => {
  const kinds = Object.values(KINDS);
  report = await runContract({
    api: await loadDocument(DOCUMENT),
    url: 'http://api.example',
    fetch: send,
    phases: ['examples'],
    maxExamples: 1,
    beforeEach: ({ operationId, url }) => {
      const index = Number(operationId.slice('send'.length));
      const { target = '/things', headers = {}, type = JSON_TYPE, body = '{}' } = kinds[index] ?? {};
      const fill = (value: string): string => value.replaceAll(/@(?!x\.)/g, secretOf(index));
      const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
      const sent = fill(target).replace(/^\/(?:things|secret)/, `/k${index}`);
      return { url: new URL(sent, url).href, headers: { 'content-type': type, ...filled }, body: fill(body) };
    },
  });
  shown = {
    json: JSON.stringify(report),
    text: toText(report).join('\n'),
    html: toHtml(report),
    junit: toJunit(report),
    sarif: toSarif(report),
    markdown: toMarkdown(report),
    github: JSON.stringify(toAnnotations(report)),
  };
}, 60_000);

test('each kind has findings, and each report shows calls', () => {
  expect(new Set(report.findings.map(({ operationId }) => operationId)).size).toBe(Object.keys(KINDS).length);
  expect(report.findings[0]?.curl).toContain('curl');
  for (const [name, text] of Object.entries(shown)) expect(text.length, name).toBeGreaterThan(1_000);
});

test.each(Object.keys(KINDS).map((kind, index) => [kind, index] as const))(
  '%s is shown in no report of a contract run, no curl line and no pasted test',
  (_kind, index) => {
    expect(Object.keys(shown).filter((name) => shown[name]?.includes(secretOf(index)))).toEqual([]);
  },
);

test('a credential of a response is shown in no report', () => {
  expect(Object.keys(shown).filter((name) => shown[name]?.includes('HIDE999ME'))).toEqual([]);
});
