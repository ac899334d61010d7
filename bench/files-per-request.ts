import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Figure } from './measure.js';

/** The most files of ours that a POST to the mock of a user's spec may pass through. */
export const MOST_FILES = 60;

const DIST = path.join(import.meta.dirname, '../dist');

/** Serves the spec, and writes the counts of all functions since the last message, on each message. */
const SERVER = `
  import { takeCoverage } from 'node:v8';
  const { startMock } = await import(process.argv[1]);
  const mock = await startMock(process.argv[2], { port: 0 });
  process.on('message', () => { takeCoverage(); process.send('taken'); });
  process.send(mock.url);
`;

/**
 * Returns the built files of which at least one function runs during a warm POST over a socket, without those that run
 * only while they load. A request before the last one may start work in the background, which is waited for.
 *
 * @param dist - the folder of the build.
 */
export async function findFilesOfPost(dist: string = DIST): Promise<readonly string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'specmill-files-'));
  const spec = path.join(import.meta.dirname, 'tasks.yaml');
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', SERVER, path.join(dist, 'server/start-mock.js'), spec],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_V8_COVERAGE: folder },
    },
  );
  try {
    const [url] = (await once(child, 'message')) as [string];
    for (const title of ['first', 'second']) await addTask(url, title);
    while ((await filesRun(child, folder, dist)).length > 0);
    await addTask(url, 'third');
    return await filesRun(child, folder, dist);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    await rm(folder, { recursive: true });
  }
}

async function addTask(url: string, title: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${url}/tasks`, { method: 'POST', headers, body: JSON.stringify({ title }) });
  if (status !== 201) throw new Error(`POST /tasks: expected 201, not ${status}.`);
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly { count: number }[] }[];
  }[];
}

/** Returns the files of which a function has run since the last call. */
async function filesRun(child: ChildProcess, folder: string, dist: string): Promise<readonly string[]> {
  const taken = once(child, 'message');
  child.send('take');
  await taken;
  const [name = ''] = await readdir(folder);
  const { result } = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as Coverage;
  await rm(path.join(folder, name));
  return result
    .filter(
      ({ url, functions }) => url.startsWith('file:') && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
    )
    .map(({ url }) => path.relative(dist, fileURLToPath(url)))
    .filter((file) => !file.startsWith('..'))
    .toSorted();
}

/** Prints the files, and returns their number. */
export async function benchFiles(): Promise<Figure[]> {
  const files = await findFilesOfPost();
  console.log(files.join('\n'));
  const within = files.length <= MOST_FILES;
  return [{ what: 'files of a warm POST', value: String(files.length), bound: `at most ${MOST_FILES}`, within }];
}
