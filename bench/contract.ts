import path from 'node:path';

import { getOrInsert } from '../model/maps.js';
import { type ContractReport, runContract } from '../entry/contract.js';
import { startMock } from '../entry/mock.js';
import { loadApi } from '../model/load-api.js';
import { MEASURED_APIS, type Score, measureMutants } from '../test/contract/measure-mutants.js';
import { CONTROL, MUTANTS, plantMutant } from '../test/contract/mutants.js';
import { runSpecmill, startMockProcess } from '../test/support/specmill-process.js';
import { measureServer } from '../test/contract/servers/measure-servers.js';
import { FOREIGN_APIS, OTHER_STYLES } from '../test/contract/servers/servers.js';
import { type Figure, median } from './measure.js';

const root = path.join(import.meta.dirname, '..');

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

/** Speed against mocks in another process, and how many of the planted faults are found. */
export async function benchContract(rounds: number): Promise<Figure[]> {
  return [...(await benchSpeed(rounds)), ...(await benchMutants()), ...(await benchOwnMutants())];
}

async function benchSpeed(rounds: number): Promise<Figure[]> {
  await using mocks = await startMockProcess('--no-rate-limit');
  // A mock that has just started takes twice the time of one that is warm, as all servers do.
  await runCommand('signing', mocks.urls['signing'] ?? '');
  const reports = new Map<string, ContractReport[]>();
  for (const [name, server] of Object.entries(SERVED_BY))
    for (let round = 0; round < (name === 'signing' ? rounds : 1); round += 1) {
      const url = mocks.urls[server] ?? '';
      await fetch(`${url}/__specmill/reset`, { method: 'POST' });
      getOrInsert(reports, name, () => []).push(await runCommand(name, url));
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
}

/** Findings are an exit status of 1, and a report all the same. */
async function runCommand(name: string, url: string): Promise<ContractReport> {
  return JSON.parse(
    (await runSpecmill('contract', name, '--url', url, '--json', '--max-time', '5m')).out,
  ) as ContractReport;
}

/** Faults in front of the mock of a small library. */
async function benchMutants(): Promise<Figure[]> {
  const api = await loadApi(path.join(root, 'test/contract/specs/library.yaml'));
  const mock = await startMock(api, { noRateLimit: true });
  const findings = async (send: typeof fetch): Promise<number> => {
    await mock.reset();
    return (await runContract({ api, url: mock.url, fetch: send })).findings.length;
  };
  const alarms = await findings(plantMutant(CONTROL, mock.fetch));
  const missed: string[] = [];
  for (const mutant of MUTANTS) if ((await findings(plantMutant(mutant, mock.fetch))) === 0) missed.push(mutant.name);
  await mock.close();
  return [toFigure('library', { planted: MUTANTS.length, missed, alarms })];
}

/** Faults in front of mocks of ours: a run of each ends with its first finding. */
async function benchOwnMutants(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of MEASURED_APIS) figures.push(toFigure(name, await measureMutants(name)));
  return figures;
}

function toFigure(name: string, { planted, missed, alarms }: Score): Figure {
  const found = planted - missed.length;
  return {
    what: `Planted faults that are found, ${name}`,
    value: `${found} of ${planted}, ${alarms} false alarms`,
    bound: `at least ${SCORE_BOUND * 100} %, and no false alarm`,
    within: found / planted >= SCORE_BOUND && alarms === 0,
    ...(missed.length === 0 ? {} : { note: `not: ${missed.join('; ')}` }),
  };
}

/** Of the bugs of a server. */
const SERVER_SCORE_BOUND = 0.85;
const SERVER_REQUEST_BOUND = 3_000;
/** Milliseconds. */
const SERVER_TIME_BOUND = 60_000;

/** Contract tests against servers that were written from their specs alone, with one bug at a time. */
export async function benchServers(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const api of [...FOREIGN_APIS, ...OTHER_STYLES]) {
    const { name, found, missed, falseAlarms, slowestMs, mostRequests } = await measureServer(api);
    const bugs = found.length + missed.length;
    if (missed.length > 0) console.log(`${name}, not found: ${missed.join(', ')}`);
    for (const { check, operationId, message } of falseAlarms)
      console.log(`${name}, false alarm: ${check} ${operationId}: ${message}`);
    figures.push(
      {
        what: `${name}: bugs found`,
        value: `${found.length} of ${bugs}`,
        bound: `at least ${Math.ceil(bugs * SERVER_SCORE_BOUND)}`,
        within: found.length >= bugs * SERVER_SCORE_BOUND,
      },
      {
        what: `${name}: false alarms`,
        value: String(falseAlarms.length),
        bound: 'none',
        within: falseAlarms.length === 0,
      },
      {
        what: `${name}: most requests, slowest run`,
        value: `${mostRequests}, ${(slowestMs / 1_000).toFixed(1)} s`,
        bound: `${SERVER_REQUEST_BOUND}, 60 s`,
        within: mostRequests <= SERVER_REQUEST_BOUND && slowestMs <= SERVER_TIME_BOUND,
      },
    );
  }
  return figures;
}
