import { describe, expect, test } from 'vitest';

import { type ContractReport, runContract, toAnnotations, toHtml, toJunit, toText } from '../../entry/contract.js';
import { runCaptured } from '../support/run-captured.js';
import { documentWith, loadDocument } from '../support/load-document.js';
import { serveFetch } from '../support/serve-fetch.js';
import { tempFolder } from '../support/temp-folder.js';

const responses = { 200: { description: 'Done.' } };
const size = { name: 'size', in: 'query', required: true, schema: { type: 'integer', maximum: 9 } };
const DOCUMENT = documentWith(
  {
    '/public': { get: { operationId: 'getPublic', responses } },
    '/private': { get: { operationId: 'getPrivate', security: [{ key: [] }], responses } },
    '/sized': { get: { operationId: 'getSized', parameters: [size], responses } },
  },
  { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } } },
);

const respond = (status: number): Response => new Response(null, { status });

/** A server that refuses the private operation, and valid sizes. */
const strange: typeof fetch = async (input) => {
  const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
  if (pathname === '/private') return respond(401);
  return respond(pathname === '/sized' && Number(searchParams.get('size')) <= 9 ? 400 : 200);
};

async function run(change: object = {}): Promise<ContractReport> {
  const api = await loadDocument(DOCUMENT);
  return runContract({ api, url: 'http://127.0.0.1:9', fetch: strange, phases: ['examples', 'negative'], ...change });
}

describe('the reach of a run', () => {
  test('a success for an invalid request counts as a success, with a note if there was no other', async () => {
    const report = await run();
    const { succeeded, refused, notSent } = report.reach;
    expect({ succeeded, refused, notSent }).toEqual({
      succeeded: ['getPublic', 'getSized'],
      refused: ['getPrivate'],
      notSent: [],
    });
    expect(report.unreached.map(({ operationId }) => operationId)).toEqual(['getPrivate']);
    expect(report.notes.join('\n')).toMatch(/^getSized: .*success.* invalid request/m);
  });

  test('the reach is in the first line of the text, and in JUnit, HTML and the annotations', async () => {
    const report = await run();
    const line = '2 of 3 operations succeeded; 1 refused every request';
    expect(toText(report)[0]).toBe(`${line}.`);
    expect(toJunit(report)).toContain(`<property name="reach" value="${line}"/>`);
    expect(toHtml(report)).toContain(`<dd>${line}</dd>`);
    expect(toAnnotations(report)).toContain(`::notice title=Operations of the run::${line}.`);
  });

  test('an operation that was not sent is listed with the reason', async () => {
    const controller = new AbortController();
    const report = await run({
      signal: controller.signal,
      fetch: async (...call: Parameters<typeof fetch>) => {
        controller.abort();
        return strange(...call);
      },
    });
    expect(report.reach.notSent).toEqual(['getPublic', 'getPrivate', 'getSized']);
    expect(report.reach.reasons['getSized']).toBe('the run was interrupted');
    expect(toText(report)[0]).toMatch(/^0 of 3 .*; 3 not sent \(the run was interrupted\)\.$/);
  });
});

describe('a credential that is refused', () => {
  test('a given credential that each operation refuses is reported, also if public operations succeed', async () => {
    const { credentialRefused, nothingTested } = await run({ headers: { 'X-Key': 'wrong' } });
    expect(credentialRefused).toMatch(/^The credential was refused: getPrivate, the only operation /);
    expect(nothingTested).toBeUndefined();
    expect((await run()).credentialRefused).toBeUndefined();
  });

  test('responses to other methods and invalid requests do not hide that a credential is refused', async () => {
    const { credentialRefused } = await run({ headers: { 'X-Key': 'wrong' }, phases: ['examples', 'negative'] });
    expect(credentialRefused).toMatch(/^The credential was refused: getPrivate, /);
  });

  test('the command exits with 2 if a credential is refused', async () => {
    await using server = await serveFetch(strange, 'http://server');
    const spec = `${tempFolder({ 'spec.json': JSON.stringify(DOCUMENT) })}/spec.json`;
    const argv = ['contract', '--spec', spec, '--url', server.url, '--phase', 'examples'];
    const refused = await runCaptured('.', ...argv, '--header', 'X-Key: wrong');
    expect({ status: refused.status, err: refused.err.split(':')[0] }).toEqual({
      status: 2,
      err: 'The credential was refused',
    });
    expect((await runCaptured('.', ...argv)).status).not.toBe(2);
  });
});
