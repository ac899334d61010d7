import { execFileSync } from 'node:child_process';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { generate } from '../../entry/specmill.js';
import { TSC } from '../support/compiler.js';
import { documentWith } from '../support/load-document.js';
import { OutputFolder } from '../support/output-folder.js';

const THING = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const schemas = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`Thing${index}`, THING]));
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Thing7' } } };
const DOCUMENT = {
  ...documentWith({
    '/thing': { get: { operationId: 'getThing', responses: { 200: { description: 'ok', content } } } },
  }),
  webhooks: { thingMade: { post: { requestBody: { content }, responses: { 200: { description: 'ok' } } } } },
  components: { schemas },
};

let output: OutputFolder;

beforeAll(async () => {
  output = new OutputFolder();
  output.write('openapi.json', JSON.stringify(DOCUMENT));
  await generate({ cwd: output.folder, config: { apis: { things: { spec: 'openapi.json', output: 'api' } } } });
});
afterAll(() => output[Symbol.dispose]());

/** The files of the output that the compiler reads for a program, without their common folder. */
function filesOf(program: string): string[] {
  output.write('use.ts', program);
  const args = ['--listFilesOnly', '--module', 'nodenext', '--target', 'es2023', path.join(output.folder, 'use.ts')];
  const printed = execFileSync(TSC, ['--ignoreConfig', ...args], {
    encoding: 'utf8',
  });
  return printed.split('\n').flatMap((file) => file.split(/\/api\//)[1] ?? []);
}

describe('an output with more than 200 schemas', () => {
  it('a program that imports its client does not make the compiler read validators, fixtures and examples', () => {
    const files = filesOf(
      `import { createThingsClient } from './api/index.js';\ncreateThingsClient({ baseUrl: '' });\n`,
    );
    expect(files).toContain('client.ts');
    expect(files.filter((file) => /^(?:validators|fixtures|examples)/.test(file))).toEqual([]);
  });

  it('a client loads the validators when it validates, also in a bundle, and webhooks load theirs', async () => {
    output.write(
      'run.ts',
      `import { createThingsClient, parseWebhook } from './api/index.js';
const client = createThingsClient({ baseUrl: 'https://a.test', validate: true, fetch: async () => Response.json({ id: 'x' }) });
const refused = (error: Error): string => error.name;
const sent = new Request('https://a.test', { method: 'POST', body: '{"id":"x"}', headers: { 'content-type': 'application/json' } });
export const found: string[] = [
  String(await client.getThing().catch(refused)),
  String(await parseWebhook('postThingMade', sent).catch(refused)),
];
`,
    );
    expect((await output.run<{ found: string[] }>('run.ts')).found).toEqual(['ValidationFailure', 'WebhookError']);
  });

  it('its validators and fixtures are imported by the name of their module', async () => {
    output.write(
      'data.ts',
      `import { isThing9 } from './api/validators.js';
import { thing9Fixture } from './api/fixtures.js';
export const isValid: boolean = isThing9(thing9Fixture());
`,
    );
    expect((await output.run<{ isValid: boolean }>('data.ts')).isValid).toBe(true);
    expect(output.typeCheck()).toBe('');
  });
});
