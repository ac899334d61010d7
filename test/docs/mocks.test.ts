import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { CONFORMANCE_ROWS, rowOf } from '../../bench/conformance-rows.js';
import { type Mock, startMock } from '../../entry/mock.js';
import { CONFORMANCE_CASES } from '../server/conformance/cases.js';

const root = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);

let page = '';
let tasks: Mock;
let signing: Mock<object>;

beforeAll(async () => {
  page = await readFile(path.join(root, 'docs/mocks.md'), 'utf8');
  tasks = await startMock('tasks', { spec: path.join(root, 'examples/vitest/tasks/tasks.yaml'), port: 0 });
  signing = await startMock('signing', { port: 0 });
});

afterAll(async () => {
  await Promise.all([tasks.close(), signing.close()]);
});

interface Command {
  readonly command: string;
  readonly output: string;
}

/** The commands of the page in order, each with what the page says that it prints. */
function readCommands(): readonly Command[] {
  return [...page.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = '']) =>
    block.split(/^\$ /m).flatMap((text) => {
      const [command = '', ...lines] = text.trimEnd().split('\n');
      return command === '' ? [] : [{ command, output: lines.join('\n') }];
    }),
  );
}

test('each command of docs/mocks.md prints what the page shows', async () => {
  const commands = readCommands();
  expect(commands.length).toBeGreaterThan(15);
  const printed: Command[] = [];
  for (const { command } of commands) {
    const line = command.replaceAll('localhost:4000', tasks.url).replaceAll('localhost:4010', signing.url);
    const { stdout } = await run('bash', ['-c', line]);
    printed.push({ command, output: stdout.trimEnd() });
  }
  expect(printed).toEqual(commands);
}, 60_000);

test('the table of conformance has a row for each topic, with all of its cases', () => {
  for (const row of CONFORMANCE_ROWS) {
    const cases = CONFORMANCE_CASES.filter((one) => rowOf(one) === row).length;
    expect(page).toContain(`\n| ${row.what} | ${cases} | ${cases} of ${cases} |`);
  }
});
