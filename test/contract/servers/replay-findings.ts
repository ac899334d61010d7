import { checkResponse, type Finding } from '../../../entry/contract.js';
import { runPastedTest } from '../../support/run-pasted-test.js';
import type { ForeignApi, RunningServer } from './foreign-api.js';
import { testServer } from './measure-servers.js';

/** A pasted test that does not say what it should: `stays green` on the server with the bug, or `stays red` without it. */
export interface WrongReproduction {
  readonly bug: string;
  readonly finding: Finding;
  readonly problem: 'stays green' | 'stays red';
  readonly error: string;
}

/** Runs against the server with a bug, and the tests of what was found against fresh servers with and without it. */
export async function replayFindings(api: ForeignApi, bug: string): Promise<readonly WrongReproduction[]> {
  const { findings } = await testServer(api, bug);
  const wrong: WrongReproduction[] = [];
  for (const finding of findings) {
    const onBroken = await runTest(api, finding.test, bug);
    const onFixed = await runTest(api, finding.test);
    const isUncertain = finding.test.includes('did not show it again');
    if (onBroken === undefined && !isUncertain) wrong.push({ bug, finding, problem: 'stays green', error: '' });
    if (onFixed !== undefined) wrong.push({ bug, finding, problem: 'stays red', error: onFixed });
  }
  return wrong;
}

/** Runs a pasted test against a server that has seen nothing yet. Gives the message of its failure. */
async function runTest(api: ForeignApi, code: string, bug?: string): Promise<string | undefined> {
  const server = await api.start(bug);
  try {
    const session = await api.logIn?.(server.url);
    await runPastedTest(code, {
      checkResponse: (options: Parameters<typeof checkResponse>[0]) => checkResponse({ spec: api.spec, ...options }),
      fetch: (url: string, init: RequestInit) => fetch(moveTo(server, url), init),
      process: { env: { ...variablesOf({ ...api.headers, ...session }), ...variablesOf(api.otherHeaders, 'OTHER_') } },
      URL,
      URLSearchParams,
      FormData,
      Blob,
      Buffer,
      setTimeout,
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await server.close();
  }
}

/** The same URL on another port. */
function moveTo({ url }: RunningServer, target: string): string {
  return target.replace(/^https?:\/\/[^/]+/, new URL(url).origin);
}

function variablesOf(headers: Readonly<Record<string, string>> = {}, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [prefix + name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_'), value]),
  );
}
