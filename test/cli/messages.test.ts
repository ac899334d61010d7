import { describe, expect, it } from 'vitest';

import { isNodeTooOld } from '../../cli/node-version.js';
import { startProxy } from '../../entry/mock.js';
import { generate } from '../../entry/specmill.js';
import { runCaptured } from '../support/run-captured.js';
import { sampleSpec } from '../support/sample-spec.js';
import { tempFolder } from '../support/temp-folder.js';

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

  it('a name that is a tag, an operation or a pattern is no typo', async () => {
    expect((await run({ include: ['read', 'addOwner', '/pets/**'] })).status).toBe(0);
  });

  it('a typo in the options of a function is an error with a suggestion', async () => {
    await expect(generate({ chekc: true } as object)).rejects.toThrow(
      'generate has no option "chekc". Did you mean check?',
    );
    await expect(
      startProxy('signing', { upstream: 'http://127.0.0.1:9', prot: 1 } as { upstream: string }),
    ).rejects.toThrow('A proxy has no option "prot". Did you mean port?');
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

it('diagnostics come after the result, with their codes, and the same ones are folded', async () => {
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
])('Node %s is too old: %s', (version, isOld) => expect(isNodeTooOld(version)).toBe(isOld));

it('the help names all that specmill does', async () => {
  const { out } = await runCaptured(tempFolder(), '--help');
  for (const word of ['clients', 'validators', 'fixtures', 'mock', 'contract', 'proxy', 'diff'])
    expect(out.split('\n\n')[0]).toContain(word);
});

it('help with a command explains that command', async () => {
  const [short, long] = [
    await runCaptured(tempFolder(), 'help', 'mock'),
    await runCaptured(tempFolder(), 'mock', '--help'),
  ];
  expect(short).toEqual(long);
  expect(short.out).toContain('--port');
  expect((await runCaptured(tempFolder(), 'help', 'mokc')).err).toContain('Did you mean mock?');
});
