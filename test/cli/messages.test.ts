import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { COMMANDS } from '../../cli/commands/index.js';
import { isNodeTooOld } from '../../cli/node-version.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { checkResponse, measureCoverage, runContract } from '../../entry/contract.js';
import { defineMock, startMock, startProxy } from '../../entry/mock.js';
import { InputError, generate, loadApi } from '../../entry/specmill.js';
import { toMatchSpec } from '../../entry/vitest.js';
import { runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder, writeTo } from '../support/temp-folder.js';

describe('a typo', () => {
  const run = async (choice: object): ReturnType<typeof runCaptured> => {
    const config = { apis: { pets: { spec: 'pets.yaml', output: 'out', ...choice } } };
    const folder = tempFolder({ 'pets.yaml': sampleSpec(), 'specmill.config.json': JSON.stringify(config) });
    return runCaptured(folder, 'generate', '--only', 'types');
  };

  it.each([
    [
      { include: { tags: ['read', 'wrtie'] } },
      'The include of the configuration names the tag "wrtie", which the spec does not have. Did you mean write?',
    ],
    [
      { include: { paths: ['/pets/*', '/owner'] } },
      'names the path "/owner", which the spec does not have. Did you mean /owners?',
    ],
    [
      { exclude: { operations: ['getPets'] } },
      'The exclude of the configuration names the operation "getPets", which the spec does not have. Did you mean getPet?',
    ],
    [{ include: ['raed'] }, 'Did you mean read?'],
    [
      { helpers: { getPets: { 'x-pagination': {} } } },
      'The helpers of the configuration name the operation "getPets", which the spec does not have. Did you mean getPet?',
    ],
    [{ overlay: [] }, 'has no member overlay. Did you mean overlays?'],
  ])('a typo in %j is an error with a suggestion', async (choice, message) => {
    const { status, err } = await run(choice);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });

  it('a name of a tag, an operation or a pattern is not taken for a typo', async () => {
    expect((await run({ include: ['read', 'addOwner', '/pets/**'] })).status).toBe(0);
  });

  it('a typo in the options of a function is an error with a suggestion', async () => {
    await expect(generate({ chekc: true } as object)).rejects.toThrow(
      'generate has no option "chekc". Did you mean check?',
    );
    await expect(
      startProxy('signing', { upstream: 'http://127.0.0.1:9', prot: 1 } as { upstream: string }),
    ).rejects.toThrow('A proxy has no option "prot". Did you mean port?');
    await expect(loadApi('pets.yaml', { allowRemot: true } as object)).rejects.toThrow(
      'loadApi has no option "allowRemot". Did you mean allowRemote?',
    );
    const check = { api: 'signing', operation: 'getcase', response: new Response() };
    await expect(checkResponse({ ...check, vendr: 'acme' } as typeof check)).rejects.toThrow(
      'checkResponse has no option "vendr". Did you mean vendor?',
    );
    await expect(measureCoverage({ api: 'signing', journal: [], sepc: 'x' } as { journal: [] })).rejects.toThrow(
      'measureCoverage has no option "sepc". Did you mean spec?',
    );
    await expect(toMatchSpec(new Response(), { api: 'signing', metod: 'PUT' } as object)).rejects.toThrow(
      'toMatchSpec has no option "metod". Did you mean method?',
    );
  });

  it.each<[string, (options: never) => Promise<unknown>]>([
    ['generate', generate],
    ['startMock', (options) => startMock('signing', options)],
    ['startProxy', (options) => startProxy('signing', options)],
    ['runContract', runContract],
    ['checkResponse', checkResponse],
    ['loadApi', (options) => loadApi('pets.yaml', options)],
  ])('%s without an object of options is an error, not a TypeError', async (_name, call) => {
    for (const options of [null, 'signing', []])
      await expect(call(options as never)).rejects.toBeInstanceOf(InputError);
  });

  it('a source or options that are missing are an error, not a TypeError', async () => {
    for (const source of [undefined, { api: 'signing' }, defineMock({ api: 'signing' } as never, {})])
      await expect(startMock(source as never)).rejects.toThrow('A mock needs the name of an API');
    expect(() => defineMock('signing', undefined as never)).toThrow('an object with the members of the mock');
    await expect(loadApi(undefined as never)).rejects.toThrow('loadApi needs the path or URL of a spec');
    await expect(startProxy(undefined as never)).rejects.toThrow('A proxy needs the name of an API');
    await expect(startProxy('signing', undefined as never)).rejects.toThrow('A proxy needs an object with its options');
    await expect(runContract(undefined as never)).rejects.toThrow('A contract run needs an object with its options');
  });
});

it.each(['generate', 'mock'])('%s with a configuration without APIs is an error that says so', async (command) => {
  const folder = tempFolder({ 'specmill.config.json': '{ "apis": {} }' });
  const { status, err } = await runCaptured(folder, command);
  expect(status).toBe(2);
  expect(err).toContain('The configuration has no APIs; name one in its member "apis".');
});

describe('without a configuration', () => {
  it('the message for an unknown name says so, and names the APIs that need no configuration', async () => {
    const { status, err } = await runCaptured(tempFolder(), 'validate', 'singing', 'x.json');
    expect(status).toBe(2);
    expect(err).toContain('There is no configuration here, and no API named "singing". Did you mean signing?');
    expect(err).toContain('the path or URL of a spec needs none');
  });
});

it('diagnostics are printed after the result, with their codes and each once', async () => {
  const paths = Array.from(
    { length: 8 },
    (_, index) =>
      `  /a${index}/{id}: { get: { operationId: get${index}, responses: { '200': { description: OK } } } }\n`,
  );
  const spec = `openapi: 3.1.0\ninfo: { title: A, version: '1' }\npaths:\n${paths.join('')}`;
  const folder = tempFolder({ 'a.yaml': spec });
  const { status, out, err } = await runCaptured(folder, 'generate', 'a.yaml', '--out', 'out', '--only', 'types');
  expect(status).toBe(0);
  expect(out).toContain('files');
  const lines = err.trimEnd().split('\n');
  expect(lines.slice(0, -1).every((line) => line.endsWith('[parameter-path-missing]'))).toBe(true);
  expect(lines).toHaveLength(6);
  expect(lines.at(-1)).toBe('… and 3 more [parameter-path-missing]; --json lists them all');
});

it.each([
  ['18.20.4', true],
  ['20.18.3', true],
  ['20.19.0', false],
  ['24.1.0', false],
])('whether Node %s is refused as too old: %s', (version, isOld) => expect(isNodeTooOld(version)).toBe(isOld));

it('the introduction of the help names everything that specmill does', async () => {
  const { out } = await runCaptured(tempFolder(), '--help');
  for (const word of ['clients', 'validators', 'fixtures', 'mock', 'contract', 'proxy', 'diff'])
    expect(out.split('\n\n')[0]).toContain(word);
});

it.each(Object.keys(COMMANDS))('the help of %s starts with one example of this command', async (name) => {
  const { out } = await runCaptured(tempFolder(), name, '--help');
  expect(out).toMatch(new RegExp(`^Example: specmill ${name}\\b.*\n\n[A-Z]`));
  expect(out.match(/^Example: /gm)).toHaveLength(1);
});

it('help with a command prints the help of that command', async () => {
  const [short, long] = [
    await runCaptured(tempFolder(), 'help', 'mock'),
    await runCaptured(tempFolder(), 'mock', '--help'),
  ];
  expect(short).toEqual(long);
  expect(short.out).toContain('--port');
  expect((await runCaptured(tempFolder(), 'help', 'mokc')).err).toContain('Did you mean mock?');
});

describe('a wrong helper of the configuration', () => {
  const PAGING = { style: 'offset', skip: 'id', size: 'id', items: '/items' };
  const configOf = (helpers: object): string =>
    JSON.stringify({ apis: { pets: { spec: 'pets.yaml', output: 'out', helpers } } }, null, 1);

  it.each([
    [
      { getPet: { 'x-pagination': { ...PAGING, style: 'ofset' } } },
      'specmill.config.json:9:16 /apis/pets/helpers/getPet/x-pagination/style The helper x-pagination of the configuration cannot be used: /style must be "offset", "page" or "token", not "ofset"; did you mean "offset"?',
    ],
    [
      { getPet: { 'x-pagination': PAGING } },
      'specmill.config.json:10:15 /apis/pets/helpers/getPet/x-pagination/skip The helper x-pagination of the configuration cannot be used: the operation has no query parameter "id".',
    ],
    [
      { '*': { 'x-pagination': PAGING } },
      'specmill.config.json:8:22 /apis/pets/helpers/*/x-pagination The helper x-pagination of the configuration cannot be used: it has no meaning on a root; it belongs on operation.',
    ],
    [
      { 'POST /owners': { 'x-read-before-write': { read: 'getPets' } } },
      '/apis/pets/helpers/POST ~1owners/x-read-before-write/read The helper x-read-before-write of the configuration cannot be used: the API has no operation "getPets".',
    ],
    [{ getPets: {} }, 'specmill.config.json:7:16 /apis/pets/helpers/getPets The helpers of the configuration name'],
    [{ getPet: { 'x-paginaton': {} } }, ' /apis/pets/helpers/getPet/x-paginaton The helpers of the configuration give'],
  ])('the helper %j is an error at its place, and the earlier output stays whole', async (helpers, message) => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec(), 'specmill.config.json': configOf({}) });
    expect((await runCaptured(folder, 'generate')).status).toBe(0);
    const before = readFileSync(path.join(folder, 'out/client.ts'), 'utf8');
    writeTo(folder, 'specmill.config.json', configOf(helpers));
    const { status, err } = await runCaptured(folder, 'generate');
    expect(status).toBe(2);
    expect(err).toContain(message);
    expect(readFileSync(path.join(folder, 'out/client.ts'), 'utf8')).toEqual(before);
  });

  it('a wrong helper is an error with a pointer if a program passes the configuration', async () => {
    const folder = tempFolder({ 'pets.yaml': sampleSpec() });
    const helpers = { getPet: { 'x-pagination': PAGING } };
    const { apis } = await generate({
      cwd: folder,
      config: { apis: { pets: { spec: 'pets.yaml', output: 'out', helpers } } },
    });
    expect(apis[0]).toMatchObject({
      status: 'failed',
      error: { name: 'InputError', place: { pointer: '/apis/pets/helpers/getPet/x-pagination/skip' } },
    });
  });

  it('a wrong helper is only a warning if the spec has it', async () => {
    const spec = sampleSpec().replace('      tags: [read]', `      x-pagination: ${JSON.stringify(PAGING)}`);
    const folder = tempFolder({ 'pets.yaml': spec });
    const { status, err } = await runCaptured(folder, 'generate', 'pets.yaml', '--out', 'out');
    expect(status).toBe(0);
    expect(err).toContain(
      'pets.yaml:8:46 /paths/~1pets~1{id}/get/x-pagination/skip warning The extension x-pagination',
    );
  });
});

it('an invalid pattern is reported where it is written', async () => {
  const spec = `openapi: 3.1.0
info: { title: A, version: '1' }
paths:
  /a:
    get:
      operationId: getA
      parameters:
        - { name: p, in: query, schema: { pattern: '(p' } }
        - { name: q, in: query, content: { application/json: { schema: { items: { pattern: '(q' } } } } }
      responses:
        '200':
          description: OK
          headers: { X-A: { schema: { pattern: '(h' } } }
          content:
            application/json:
              schema:
                properties:
                  a: { pattern: '(a' }
        '201': { description: OK, content: { application/jsonl: { itemSchema: { pattern: '(i' } } } }
        default: { $ref: 'errors.yaml#/Error' }
`;
  const errors = "Error:\n  description: wrong\n  content: { application/json: { schema: { pattern: '(e' } } }\n";
  const folder = tempFolder({ 'a.yaml': spec, 'errors.yaml': errors });
  const { out } = await runCaptured(folder, 'generate', 'a.yaml', '--out', 'out', '--json');
  const { apis } = JSON.parse(out) as { apis: readonly [{ diagnostics: readonly Diagnostic[] }] };
  const responses = '/paths/~1a/get/responses';
  const media = '/content/application~1json/schema';
  expect(
    apis[0].diagnostics
      .filter(({ code }) => code === 'pattern-invalid')
      .map(({ file, line, column, pointer }) => `${path.basename(file)}:${line}:${column} ${pointer}`),
  ).toEqual([
    'a.yaml:8:52 /paths/~1a/get/parameters/0/schema/pattern',
    `a.yaml:9:92 /paths/~1a/get/parameters/1${media}/items/pattern`,
    `a.yaml:18:33 ${responses}/200${media}/properties/a/pattern`,
    `a.yaml:13:48 ${responses}/200/headers/X-A/schema/pattern`,
    `a.yaml:19:90 ${responses}/201/content/application~1jsonl/itemSchema/pattern`,
    `errors.yaml:3:53 /Error${media}/pattern`,
  ]);
});
