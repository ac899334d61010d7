import { expect, it } from 'vitest';

import { runContract } from '../../../entry/contract.js';
import { startMock } from '../../../entry/mock.js';
import type { Diagnostic } from '../../../model/diagnostics/diagnostic.js';
import { documentWith, loadDocument } from '../../support/load-document.js';

const DONE = { responses: { 204: { description: 'done' } } };
const DOCUMENT = {
  ...documentWith({
    '/a': { get: DONE, additionalOperations: { COPY: DONE, Merge: DONE } },
    '/#Action=One': { get: DONE },
    '/b?kind=two': { get: DONE },
    '/c/{what?}': { get: { ...DONE, parameters: [{ name: 'what?', in: 'path', required: true, schema: {} }] } },
  }),
  openapi: '3.2.0',
};
const SENTENCES = [
  'GET /#Action=One and 1 more: a path ends before ? and #, so no request has it.',
  'Merge /a: the HTTP parser of Node refuses the method, so that only calls within the process reach it.',
];

it('a mock warns at its start of operations that no request reaches', async () => {
  const api = await loadDocument(DOCUMENT);
  const said: Diagnostic[] = [];
  await using mock = await startMock(api, { port: 0, onDiagnostic: (diagnostic) => said.push(diagnostic) });
  expect(said.map(({ message }) => message)).toEqual(SENTENCES);
  expect(said.map(({ code, severity }) => `${code} ${severity}`)).toContain('operation-unreachable warning');
  expect((await fetch(`${mock.url}/a`, { method: 'Merge' })).status).toBe(400);
  expect((await mock.fetch(`${mock.url}/a`, { method: 'Merge' })).status).toBe(204);
  expect((await fetch(`${mock.url}/a`, { method: 'COPY' })).status).toBe(204);
});

it('a contract run skips operations that no request reaches, and says so', async () => {
  const api = await loadDocument(DOCUMENT);
  await using mock = await startMock(api, { port: 0 });
  const report = await runContract({ api, url: mock.url, phases: ['examples'] });
  expect(report.notes).toEqual(SENTENCES);
  expect(report.operations).toBe(4);
});
