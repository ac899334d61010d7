import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Diagnostic } from '../../../model/diagnostics/diagnostic.js';
import { startMock } from '../../../server/start-mock.js';
import type { Mock } from '../../../server/start/mock.js';
import { documentWith, loadDocument } from '../../support/load-document.js';
import { sampleSpec } from '../../support/sample-spec.js';
import { tempFolder } from '../../support/temp-folder.js';

const json = (schema: object): object => ({ 'application/json': { schema } });
const BAD = { type: 'string', pattern: '(' };

/** Three schemas that cannot be checked exactly, and so many other operations. */
async function startBad(others: number): Promise<{ readonly mock: Mock; readonly reported: Diagnostic[] }> {
  const paths: Record<string, object> = {
    '/a': {
      get: {
        operationId: 'a',
        parameters: [{ name: 'q', in: 'query', schema: BAD }],
        responses: { 200: { description: 'x', content: json({ $ref: '#/components/schemas/A' }) } },
      },
      post: {
        operationId: 'b',
        requestBody: { content: json({ type: 'object', properties: { x: BAD } }) },
        responses: { 200: { description: 'x' } },
      },
    },
  };
  for (let index = 0; index < others; index += 1)
    paths[`/z${index}`] = { get: { operationId: `z${index}`, responses: { 200: { description: 'x' } } } };
  const reported: Diagnostic[] = [];
  const api = await loadDocument(documentWith(paths, { components: { schemas: { A: BAD } } }));
  const mock = await startMock(api, { onDiagnostic: (diagnostic) => reported.push(diagnostic) });
  onTestFinished(() => mock.close());
  return { mock, reported };
}

const PLACES = [
  '/components/schemas/A/pattern',
  '/paths/~1a/get/parameters/0/schema/pattern',
  '/paths/~1a/post/requestBody/content/application~1json/schema/properties/x/pattern',
];

describe('schemas that cannot be checked exactly', () => {
  it('schemas of a small spec that cannot be checked exactly are reported once soon after the start, and not in the journal', async () => {
    const { mock, reported } = await startBad(0);
    await vi.waitFor(() => expect(reported).toHaveLength(3));
    expect(reported.map(({ pointer }) => pointer)).toEqual(PLACES);
    expect(reported[0]).toMatchObject({ code: 'pattern-invalid', severity: 'warning' });
    await mock.fetch('http://mock/a?q=1');
    expect(reported).toHaveLength(3);
    expect(await mock.requests()).toHaveLength(1);
  });

  it('schemas of a large spec that cannot be checked exactly are reported once when used, and in the journal', async () => {
    const { mock, reported } = await startBad(120);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(reported).toEqual([]);
    await mock.fetch('http://mock/a?q=1');
    await mock.fetch('http://mock/a?q=1');
    expect(reported.map(({ pointer }) => pointer).sort()).toEqual(PLACES.slice(0, 2));
    expect(await mock.requests({ violations: true })).toMatchObject([
      { method: 'MOCK', path: '/__specmill/diagnostics', violations: [{ message: reported[0]?.message }] },
      { method: 'MOCK', path: '/__specmill/diagnostics', violations: [{ message: reported[1]?.message }] },
    ]);
  });
});

it('handlers without an operation are reported', async () => {
  const cwd = tempFolder({
    'specmill.config.yaml': 'apis: { pets: { spec: pets.yaml, output: out, mock: ./pets.js } }',
    'pets.yaml': sampleSpec(),
    'pets.js': `import { defineMock } from 'specmill/mock';
      export default defineMock('pets', { operations: { getPet: (call) => call.refuse(404, 'No.'), getPte: () => {} } });`,
  });
  const reported: Diagnostic[] = [];
  await using _ = await startMock('pets', { cwd, onDiagnostic: (diagnostic) => reported.push(diagnostic) });
  const message = 'The behaviour has a handler for getPte, which is no operation of the API. Did you mean getPet?';
  expect(reported).toMatchObject([{ code: 'handler-unknown', severity: 'warning', message }]);
  expect(reported[0]?.file).toMatch(/pets\.js$/);
});
