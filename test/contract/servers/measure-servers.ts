import { loadApi } from '../../../entry/specmill.js';
import { type ContractOptions, type ContractReport, type Finding, runContract } from '../../../entry/contract.js';
import type { ForeignApi } from './foreign-api.js';

/** What runs against one server found: without a bug, and with each of its bugs. */
export interface ServerScore {
  readonly name: string;
  readonly found: readonly string[];
  readonly missed: readonly string[];
  /** The findings on the server without a bug. */
  readonly falseAlarms: readonly Finding[];
  /** Of the slowest run, in milliseconds. */
  readonly slowestMs: number;
  /** Of the run with the most requests. */
  readonly mostRequests: number;
}

/** Runs against the server without a bug and with each of its bugs, with default settings and one seed. */
export async function measureServer(
  api: ForeignApi,
  bugs: readonly string[] = Object.keys(api.bugs),
): Promise<ServerScore> {
  const clean = await testServer(api);
  const known = new Set(clean.findings.map(causeOf));
  const reports = [clean];
  const found: string[] = [];
  const missed: string[] = [];
  for (const bug of bugs) {
    const report = await testServer(api, bug);
    reports.push(report);
    (report.findings.some((finding) => !known.has(causeOf(finding))) ? found : missed).push(bug);
  }
  return {
    name: api.name,
    found,
    missed,
    falseAlarms: clean.findings,
    slowestMs: Math.max(...reports.map(({ durationMs }) => durationMs)),
    mostRequests: Math.max(...reports.map(({ requests }) => requests)),
  };
}

/** One run against a server with or without a bug. */
export async function testServer(
  api: ForeignApi,
  bug?: string,
  options: Partial<ContractOptions> = {},
): Promise<ContractReport> {
  const server = await api.start(bug);
  const { logIn } = api;
  try {
    return await runContract({
      api: await loadApi(api.spec),
      url: server.url,
      seed: 1,
      ...(api.headers === undefined ? {} : { headers: api.headers }),
      ...(api.otherHeaders === undefined ? {} : { otherHeaders: api.otherHeaders }),
      ...(logIn === undefined ? {} : { before: async ({ url }) => ({ headers: await logIn(url) }) }),
      ...options,
    });
  } finally {
    await server.close();
  }
}

const causeOf = ({ check, operationId, pointer }: Finding): string => `${check} ${operationId} ${pointer}`;
