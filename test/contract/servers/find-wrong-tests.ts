import { checkResponse, type Finding } from '../../../entry/contract.js';
import { runPastedTest } from '../../support/run-pasted-test.js';
import { findWrongTests } from '../replay-findings.js';
import type { ForeignApi, RunningServer } from './foreign-api.js';

/** Returns the printed tests of findings that do not tell a server with a bug from one without it. */
export async function findWrongTestsOn(
  api: ForeignApi,
  bug: string,
  findings: readonly Finding[],
): Promise<readonly string[]> {
  return findWrongTests(findings, (code, server) => runTest(api, code, server === 'faulty' ? bug : undefined));
}

/** Runs a pasted test against a server that has seen nothing yet. */
async function runTest(api: ForeignApi, code: string, bug: string | undefined): Promise<void> {
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
