import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { noApis } from '../../config/resolve-config.js';
import { BUILT_IN_APIS, findApisWithOption, findBuiltInApi, findBuiltInSpecs } from '../../config/built-in-apis.js';
import { hasConfig } from '../../config/load-config.js';
import { type Mount, findPrefix, readMount } from '../../config/mounts.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { readApiWord } from '../../model/document/address.js';
import { packageRoot } from '../../model/package-info.js';
import { type Mock, type MockOptions, startMock } from '../../entry/mock.js';
import type { CommonFlags, MockCommand } from '../../generated/options/types.js';
import { type ChosenApi, chooseApi, defaultPort, explainBusyPort } from '../choose-api.js';
import type { RunCommand } from '../command.js';
import { EXIT, type ExitStatus, type Io, toJsonText, toTerminalText } from '../io.js';
import { pickOptions } from '../read-flags.js';
import { printDiagnostics } from '../print-diagnostics.js';
import { formatCall, formatCallAsJson, formatWork, printOperationList } from '../mock-log.js';
import { printError } from '../print-error.js';
import { UsageError } from '../usage-error.js';
import { inSlices, isSmall } from '../../http/startup-diagnostics.js';
import { partsToRead } from '../../model/openapi/lazy-api.js';
import { watchFiles } from '../../server/watch-files.js';
import type { LifeProblem } from '../../contract/lives/life.js';
import type { Explanation } from '../../entry/specmill.js';

export const runMock: RunCommand<MockCommand> = async (words, flags, io) => {
  if (flags.workers === undefined) return serveMocks(words, flags, io);
  const { isWorker, runAsWorker, runWorkers } = await import('../worker-processes.js');
  if (isWorker()) return runAsWorker(io, (own) => serveMocks(words, flags, own));
  if (flags.state === undefined && flags.store === undefined)
    throw new UsageError(
      'The option --workers needs a store that the processes share: --store redis://HOST:PORT or --state DIR.',
    );
  return runWorkers(flags.workers, io);
};

/** The environment of a process that serves. */
interface ServerIo extends Io {
  /** Called when the mocks serve. Returns whether this process says so: of several workers one does. */
  readonly onReady?: () => Promise<boolean>;
}

async function serveMocks(
  words: readonly string[],
  flags: MockCommand & CommonFlags,
  io: ServerIo,
): Promise<ExitStatus> {
  const signal = io.stopSignal();
  const { startMock } = await import('../../entry/mock.js');
  const options = mockOptions(flags, io);
  const mounts = readMounts(flags);
  const apis = await chooseApis(words.length === 0 ? mounts.flatMap(({ name }) => name ?? []) : words, flags, io);
  refuseUselessOptions(flags, apis);
  checkMounts(mounts, apis);
  const running: RunningMock[] = [];
  try {
    for (const [index, api] of apis.entries()) {
      const shared = mounts.length === 0 ? undefined : running[0];
      const port =
        shared === undefined
          ? choosePort(api, { index, apis, first: flags.port })
          : Number(new URL(shared.mock.url).port);
      const { name, spec } = api;
      const own = { ...options, port, ...(spec === undefined ? {} : { spec }) };
      const word = spec?.[0] ?? name;
      running.push({ name, word, mock: await startMock(name, own).catch(explainBusyPort) });
    }
    const isSpeaker = (await io.onReady?.()) ?? true;
    if (isSpeaker) await announce(running, flags, io);
    const own = isSpeaker ? io : { ...io, err: () => undefined };
    for (const { mock } of running) if (isSpeaker && !isRead(mock)) void readRest(mock, io, signal);
    await Promise.all(running.map((one) => restartOnChange(one, signal, own)));
    return EXIT.done;
  } finally {
    await Promise.all(running.map(({ mock }) => mock.close()));
  }
}

/** Says what is served, and which resources do not keep what is inferred. */
async function announce(running: readonly RunningMock[], flags: MockCommand & CommonFlags, io: Io): Promise<void> {
  printReady(running, flags, io);
  if (flags.json !== true && flags.quiet !== true)
    for (const { mock } of running) printOperationList(mock, running.length, io);
  if (flags.stateless !== true && flags.quiet !== true) for (const one of running) await checkLives(one, io);
}

/** The paths of the APIs, each with the name of its API: without one it is that of the only API. */
function readMounts({ mount = [] }: MockCommand): readonly Mount[] {
  const mounts = [mount].flat().map(readMount);
  const repeated = mounts.find(({ prefix }, index) => mounts.findIndex((one) => one.prefix === prefix) !== index);
  if (repeated === undefined) return mounts;
  throw new UsageError(`The option --mount gives ${repeated.prefix === '' ? '/' : repeated.prefix} to two APIs.`);
}

/** @throws UsageError if an API has no path, or a path no API. */
function checkMounts(mounts: readonly Mount[], apis: readonly ChosenApi[]): void {
  if (mounts.length === 0) return;
  const namesOf = ({ name, spec = [] }: ChosenApi): readonly string[] => [name, ...spec];
  const known = apis.flatMap(namesOf);
  const unknown = mounts.find(({ name }) => name !== undefined && !known.includes(name))?.name;
  if (unknown !== undefined)
    throw new UsageError(
      `The option --mount names ${unknown}, which this command does not serve.${suggestName(unknown, known)}`,
    );
  for (const api of apis) findPrefix(mounts, namesOf(api));
  if (apis.length > 1 && mounts.some(({ name }) => name === undefined))
    throw new UsageError('The option --mount is written NAME=/PATH if a command serves several APIs.');
}

/** @throws UsageError if none of the mocks supports an option. */
function refuseUselessOptions(
  { words, engineConfig, engineSchema, data, scenarios }: MockCommand,
  apis: readonly ChosenApi[],
): void {
  const single = Object.entries({ data, scenarios }).find(([, value]) => value !== undefined)?.[0];
  if (single !== undefined && apis.length > 1)
    throw new UsageError(
      `The option --${single} is for one API, and this command serves ${apis.length}: name one, or write "${single}" in the configuration.`,
    );
  const owned = { words, 'engine-config': engineConfig, 'engine-schema': engineSchema };
  for (const [option, value] of Object.entries(owned)) {
    const owners = value === undefined ? undefined : findApisWithOption(option);
    if (owners === undefined || apis.some(({ name }) => owners.includes(name))) continue;
    throw new UsageError(
      `The option --${option} needs the mock of ${owners.join(' or ')}, which this command does not serve.`,
    );
  }
}

interface RunningMock {
  readonly name: string;
  /** As the user named it. */
  readonly word: string;
  readonly mock: Mock<object>;
}

async function chooseApis(
  words: readonly string[],
  { spec, config: configFile }: MockCommand,
  io: Io,
): Promise<readonly ChosenApi[]> {
  const names = [...new Set(words)];
  if (spec !== undefined) {
    if (names.length > 1) throw new UsageError('With --spec there is one API, so at most one name.');
    return [chooseApi(names, spec)];
  }
  if (names.length > 0) return names.map(readApiWord);
  if (configFile === undefined && !hasConfig(io.cwd)) {
    io.err(NO_CONFIGURATION);
    return BUILT_IN_APIS.filter((name) => isServedAlone(name)).map((name) => ({ name }));
  }
  const { readConfig } = await import('../../generator/generate-options.js');
  const { config, folder } = await readConfig(io.cwd, configFile);
  const served = Object.entries(config.apis)
    .filter(([name, { spec }]) => isServedAlone(name, [spec].flat(), folder) && !isInternalSpec([spec].flat(), folder))
    .map(([name]) => ({ name }));
  if (served.length === 0) throw noApis();
  return served;
}

const NO_CONFIGURATION =
  'specmill: there is no configuration here, so the example APIs are served; ' +
  '"specmill mock openapi.yaml" serves your own spec, "specmill init --spec openapi.yaml" writes a configuration for it\n';

/** Whether an API has a mock of its own, rather than being served by another one. */
function isServedAlone(name: string, specs?: readonly string[], folder = ''): boolean {
  if (findBuiltInApi(name)?.servedBy === undefined) return true;
  const builtIn = findBuiltInSpecs(name) ?? [];
  return specs !== undefined && !specs.some((spec) => builtIn.includes(path.resolve(folder, spec)));
}

/** Whether the spec is one of our own that has no mock: the control interface, which every mock serves, or our options. */
function isInternalSpec(specs: readonly string[], folder: string): boolean {
  const internal = ['specs/control/openapi.yaml', 'config/options.schema.json'];
  return specs.some((spec) => internal.some((file) => path.resolve(folder, spec) === path.join(packageRoot, file)));
}

interface PortChoice {
  readonly index: number;
  readonly apis: readonly ChosenApi[];
  /** `--port`. */
  readonly first: number | undefined;
}

function choosePort(api: ChosenApi, { index, apis, first }: PortChoice): number {
  if (first === undefined) return defaultPort(api, apis);
  return first === 0 ? 0 : first + index;
}

function mockOptions(flags: MockCommand & CommonFlags, io: Io): MockOptions {
  const isJson = flags.json === true;
  // With --json, stdout has a single line, which announces that the mocks are ready.
  const print = isJson ? io.err : io.out;
  const isSilent = flags.quiet === true || (isJson && flags.log === undefined);
  const asJson = flags.log === 'json';
  return {
    ...pickOptions('MockOptions', flags),
    ...(isSilent
      ? {}
      : {
          onCall: (call) => print(`${asJson ? formatCallAsJson(call) : formatCall(call, io.isTerminal)}\n`),
          onWork: (work) => print(`${asJson ? toJsonText(work) : formatWork(work)}\n`),
        }),
    cwd: io.cwd,
    onDiagnostic: (diagnostic) => printDiagnostics([diagnostic], io, { withInfos: false }),
  };
}

/** Whether all of the spec was read. Large ones are read as they are used, to keep the start fast. */
function isRead({ api }: Pick<Mock, 'api'>): boolean {
  return isSmall(api) || partsToRead(api).length === 0;
}

/** Milliseconds from the start until the rest of a large spec is read: the first requests come before it. */
const READING_DELAY = 1_000;

/** Reads the rest of a spec while the mock is serving, and prints its diagnostics. */
async function readRest({ api }: Pick<Mock, 'api'>, io: Io, signal: AbortSignal): Promise<void> {
  await setTimeout(READING_DELAY, undefined, { ref: false, signal }).catch(() => undefined);
  for await (const read of inSlices(partsToRead(api), signal)) read();
  if (!signal.aborted) printDiagnostics(api.diagnostics, io, { withInfos: false });
}

/** Prints the table of URLs; with --json, one line that announces that all mocks are ready. */
function printReady(running: readonly RunningMock[], { json }: CommonFlags, io: Io): void {
  for (const { mock } of running) if (isRead(mock)) printDiagnostics(mock.api.diagnostics, io, { withInfos: false });
  if (json === true) {
    io.out(`${toJsonText({ mocks: running.map(({ name, mock }) => ({ name, url: mock.url })) })}\n`);
    return;
  }
  const rows = running.map(({ name, mock }) => [name, mock.url, mock.api.title] as const);
  const all = [['API', 'URL', 'title'] as const, ...rows];
  const widths = [0, 1].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  for (const [name, url, title] of all) {
    io.out(`${toTerminalText(`${name.padEnd(widths[0] ?? 0)}  ${url.padEnd(widths[1] ?? 0)}  ${title}`)}\n`);
  }
}

/**
 * Restarts a mock on each change until the user stops it. If the new version cannot be loaded, the error is printed and
 * the old one keeps running.
 */
async function restartOnChange({ name, mock }: RunningMock, signal: AbortSignal, io: Io): Promise<void> {
  let since = Date.now();
  while (await watchFiles({ files: new Set(mock.files), since, signal })) {
    since = Date.now();
    try {
      await mock.reload();
      io.err(`specmill: reloaded ${name} (state kept)\n`);
    } catch (error) {
      printError(error, io, { isDebug: false, isJson: false });
    }
  }
}

/** Larger specs are not played at the start of a mock: `specmill explain --check` does it. */
const MOST_OPERATIONS = 60;
/** After so many milliseconds no further resource is played. */
const MAX_TIME = 150;

/** A mock, and how the user named its API. */
interface NamedMock {
  readonly word: string;
  readonly mock: Mock<object>;
}

/**
 * Creates, reads and lists an item of each resource in a second mock of the same spec, and prints a line for each resource
 * that does not keep what is inferred. The state and the journal of the running mock stay as they are.
 */
async function checkLives({ word, mock }: NamedMock, io: Io): Promise<void> {
  if (mock.api.operations.length > MOST_OPERATIONS) return;
  const started = performance.now();
  const { playLives } = await import('../../contract/lives/play-lives.js');
  const { describeMap } = await import('../../resources/map/describe-map.js');
  const { resources } = describeMap(mock.api);
  await using fresh = await startMock(mock.api, { noRateLimit: true });
  const isOver = (): boolean => performance.now() - started > MAX_TIME;
  const problems = await playLives(mock.api, resources, fresh, { isShort: true, isOver });
  if (problems.length === 0) return;
  // Loading the control interface takes longer than the check.
  const response = await mock.fetch(`${mock.url}/__specmill/page/resources.json`);
  const { handled } = (await response.json()) as Explanation;
  for (const problem of firstOfEach(problems.filter(({ operationId }) => !handled.includes(operationId))))
    io.err(`${toTerminalText(describeProblem(problem, word))}\n`);
}

function firstOfEach(problems: readonly LifeProblem[]): readonly LifeProblem[] {
  return problems.filter(({ path }, index) => problems.findIndex((one) => one.path === path) === index);
}

function describeProblem({ path, operationId, message }: LifeProblem, word: string): string {
  return (
    `specmill: ${path} does not work as inferred: ${operationId}: ${message}; ` +
    `"specmill explain ${word} ${path}" shows why, and "resources" in the configuration corrects it`
  );
}
