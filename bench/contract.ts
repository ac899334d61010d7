import { type ChildProcess, execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

import { type ContractReport, runContract } from '../contract/index.js';
import { startMock } from '../mocks/index.js';
import { loadApi } from '../model/load-api.js';
import { measureMutants } from '../test/contract/measure-mutants.js';
import { CONTROL, MUTANTS, plantMutant } from '../test/contract/mutants.js';
import type { Figure } from './measure.js';

const root = path.join(import.meta.dirname, '..');
const BIN = path.join(root, 'dist/cli/main.js');

/** The APIs by name, and the mocks that serve them. */
const SERVED_BY: Readonly<Record<string, string>> = {
  signing: 'signing',
  generation: 'generation',
  dictionary: 'dictionary',
  engine: 'engine',
  tables: 'tables',
  notifications: 'notifications',
  'rate-limits': 'notifications',
};

/** Checked requests in a second. */
const RATE_BOUND = 1_000;
/** Seconds. */
const TIME_BOUND = 60;
/** Of the planted faults. */
const SCORE_BOUND = 0.9;
const OWN_SCORE_BOUND = 0.85;

/** Speed against mocks in another process, and how many of the planted faults are found. */
export async function benchContract(rounds: number): Promise<Figure[]> {
  return [...(await benchSpeed(rounds)), ...(await benchMutants()), ...(await benchOwnMutants())];
}

async function benchSpeed(rounds: number): Promise<Figure[]> {
  const { urls, process: mocks } = await startMocks();
  try {
    const reports = new Map<string, ContractReport[]>();
    for (const [name, server] of Object.entries(SERVED_BY))
      for (let round = 0; round < (name === 'signing' ? rounds : 1); round += 1) {
        const url = urls[server] ?? '';
        await fetch(`${url}/__specmill/reset`, { method: 'POST' });
        reports.set(name, [...(reports.get(name) ?? []), await runCommand(name, url)]);
      }
    const rate = median((reports.get('signing') ?? []).map((one) => one.requests / (one.durationMs / 1_000)));
    const all = [...reports.values()].map((list) => list[0]).filter((one) => one !== undefined);
    const slowest = all.toSorted((one, other) => other.durationMs - one.durationMs)[0];
    const alarms = all.reduce((sum, { findings }) => sum + findings.length, 0);
    const seconds = (slowest?.durationMs ?? Number.NaN) / 1_000;
    return [
      {
        what: 'Checked requests a second, signing',
        value: `${Math.round(rate)}/s`,
        bound: `at least ${RATE_BOUND}`,
        within: rate >= RATE_BOUND,
      },
      {
        what: `Slowest full run of an API of ours, ${slowest?.api}`,
        value: `${seconds.toFixed(1)} s`,
        bound: `under ${TIME_BOUND} s`,
        within: seconds < TIME_BOUND,
      },
      {
        what: `False alarms on the ${all.length} clean APIs`,
        value: String(alarms),
        bound: 'none',
        within: alarms === 0,
      },
    ];
  } finally {
    mocks.kill();
  }
}

async function runCommand(name: string, url: string): Promise<ContractReport> {
  const argv = [BIN, 'contract', name, '--url', url, '--json', '--max-time', '5m'];
  const found = await promisify(execFile)(process.execPath, argv, { maxBuffer: 2 ** 28 }).catch(
    // Findings are an exit status of 1, and a report all the same.
    (error: { readonly stdout: string }) => error,
  );
  return JSON.parse(found.stdout) as ContractReport;
}

async function startMocks(): Promise<{
  readonly urls: Readonly<Record<string, string>>;
  readonly process: ChildProcess;
}> {
  const argv = [BIN, 'mock', '--port', '0', '--json', '--no-rate-limit'];
  const child = spawn(process.execPath, argv, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('exit', (status) => reject(new Error(`The mocks ended with ${status}.`)));
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text);
    });
  });
  const { mocks } = JSON.parse(line) as { readonly mocks: readonly { readonly name: string; readonly url: string }[] };
  return { urls: Object.fromEntries(mocks.map(({ name, url }) => [name, url])), process: child };
}

async function benchMutants(): Promise<Figure[]> {
  const api = await loadApi(path.join(root, 'test/contract/specs/library.yaml'));
  const mock = await startMock(api, { noRateLimit: true });
  const findings = async (send: typeof fetch): Promise<number> => {
    await mock.reset();
    return (await runContract({ api, url: mock.url, fetch: send })).findings.length;
  };
  const clean = await findings(plantMutant(CONTROL, mock.fetch));
  const missed: string[] = [];
  for (const mutant of MUTANTS) if ((await findings(plantMutant(mutant, mock.fetch))) === 0) missed.push(mutant.name);
  await mock.close();
  const found = MUTANTS.length - missed.length;
  return [
    {
      what: 'Planted faults that are found',
      value: `${found} of ${MUTANTS.length}${missed.length === 0 ? '' : `, not: ${missed.join('; ')}`}`,
      bound: `at least ${SCORE_BOUND * 100} %`,
      within: found / MUTANTS.length >= SCORE_BOUND,
    },
    { what: 'False alarms through a proxy without a fault', value: String(clean), bound: 'none', within: clean === 0 },
  ];
}

/** Faults in front of mocks of ours: a run of each ends with its first finding. */
async function benchOwnMutants(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of ['signing', 'tables', 'generation', 'notifications'] as const) {
    const { planted, missed, alarms } = await measureMutants(name, 20);
    const found = planted - missed.length;
    figures.push({
      what: `Planted faults that are found, ${name}`,
      value: `${found} of ${planted}${missed.length === 0 ? '' : `, not: ${missed.join('; ')}`}; ${alarms} false alarms`,
      bound: `at least ${OWN_SCORE_BOUND * 100} %, and no alarm`,
      within: found / planted >= OWN_SCORE_BOUND && alarms === 0,
    });
  }
  return figures;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
