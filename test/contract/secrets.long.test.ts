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
import { mediaTypeEssence } from '../../runtime/media-type.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { CONTENT, JSON_TYPE, KINDS, OWN_COMPONENTS, OWN_PARAMETERS, SECRET } from '../support/secret-kinds.js';

const secretOf = (index: number): string => `HIDE${index}ME`;

/** The path of a kind, before its parameter. */
const PATH = /^\/+(?:things|(?:s|%73)ecret)/i;

/** The work of a run grows faster than the number of its operations. */
const KINDS_A_RUN = 12;
const responses = { 200: { description: 'ok', content: { [JSON_TYPE]: {} } } };
const all = Object.values(KINDS);
const runs = Array.from({ length: Math.ceil(all.length / KINDS_A_RUN) }, (_, run) =>
  [...all.entries()].slice(run * KINDS_A_RUN, (run + 1) * KINDS_A_RUN),
);

/** A document with an operation for each kind, so that each has findings of its own. */
function documentOf(kinds: (typeof runs)[number]): object {
  const paths = kinds.map(([index, { target = '/things', type = JSON_TYPE }]) => {
    const isPath = PATH.test(target) && !target.startsWith('/things');
    const inPath = { name: 'it', in: 'path', required: true, schema: SECRET };
    const mediaType = mediaTypeEssence(type);
    const post = {
      operationId: `send${index}`,
      parameters: isPath ? [...OWN_PARAMETERS, inPath] : OWN_PARAMETERS,
      requestBody: { content: { [mediaType]: CONTENT[mediaType] } },
      responses,
    };
    return [isPath ? `/k${index}/{it}` : `/k${index}`, { post }];
  });
  return documentWith(Object.fromEntries(paths), { components: OWN_COMPONENTS });
}

const reports: ContractReport[] = [];
/** Everything that the runs write, by the name of the report. */
const shown: Record<string, string> = {};

/** Fails, and sends the body and a credential back. */
const send: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const back = { 'content-type': request.headers.get('content-type') ?? JSON_TYPE, 'x-auth-token': 'HIDE999ME' };
  return new Response(await request.text(), { status: 500, headers: back });
};

async function run(kinds: (typeof runs)[number]): Promise<ContractReport> {
  return runContract({
    api: await loadDocument(documentOf(kinds)),
    url: 'http://api.example',
    fetch: send,
    phases: ['examples'],
    maxExamples: 1,
    beforeEach: ({ operationId, url }) => {
      const index = Number(operationId.slice('send'.length));
      const { target = '/things', headers = {}, type = JSON_TYPE, body = '{}' } = all[index] ?? {};
      const fill = (value: string): string => value.replaceAll(/@(?!x\.)/g, secretOf(index));
      const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
      const sent = fill(target).replace(PATH, `/k${index}`);
      return { url: new URL(sent, url).href, headers: { 'content-type': type, ...filled }, body: fill(body) };
    },
  });
}

beforeAll(async () => {
  for (const kinds of runs) {
    const report = await run(kinds);
    reports.push(report);
    const texts = {
      json: JSON.stringify(report),
      text: toText(report).join('\n'),
      html: toHtml(report),
      junit: toJunit(report),
      sarif: toSarif(report),
      markdown: toMarkdown(report),
      github: JSON.stringify(toAnnotations(report)),
    };
    for (const [name, text] of Object.entries(texts)) shown[name] = `${shown[name] ?? ''}${text}\n`;
  }
}, 300_000);

test('each kind has findings, and each report shows calls', () => {
  const findings = reports.flatMap((report) => report.findings);
  expect(new Set(findings.map(({ operationId }) => operationId)).size).toBe(all.length);
  expect(findings[0]?.curl).toContain('curl');
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
