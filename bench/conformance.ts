/**
 * Runs the conformance suite against our mocks and plain Prism, and prints the difference in Markdown.
 *
 *     npm run bench -- conformance
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { CONFORMANCE_CASES } from '../test/server/conformance/cases.js';
import {
  type ConformanceCase,
  runCase,
  type ServerUnderTest,
  type StartServer,
} from '../test/server/conformance/conformance-case.js';
import { startOnHttp } from '../test/server/conformance/start-transports.js';
import { CONFORMANCE_ROWS, type ConformanceRow, rowOf } from './conformance-rows.js';

/** What came of a case: `none` where plain Prism has no part that could be asked. */
type Outcome =
  | { readonly kind: 'right' | 'none' }
  | { readonly kind: 'wrong' | 'hangs' | 'dies'; readonly why: string };

interface Held {
  readonly one: ConformanceCase;
  readonly ours: Outcome;
  readonly prism: Outcome;
}

/** Runs every case on both and prints the table, then each case in which they differ. */
export async function benchConformance(): Promise<void> {
  // Loaded by the first case that asks it, it could take longer than a case may.
  await import('../server/prism/prism-mocker.js');
  const prism = new PlainPrism();
  const held: Held[] = [];
  for (const one of CONFORMANCE_CASES)
    held.push({ one, ours: await hold(one, startOnHttp), prism: await holdPrism(one, prism) });
  prism.close();
  console.log('| about | cases | specmill | plain Prism | its others |\n| --- | --- | --- | --- | --- |');
  for (const row of CONFORMANCE_ROWS) console.log(printRow(row, held));
  console.log(printTotals(held));
  console.log('\n| case | plain Prism |\n| --- | --- |');
  for (const { one, prism: outcome } of held)
    if ('why' in outcome) console.log(`| ${one.group}: ${one.name} | ${outcome.why.replaceAll('|', '\\|')} |`);
  for (const { one, ours } of held) if ('why' in ours) console.log(`specmill, ${one.group}: ${one.name}: ${ours.why}`);
}

async function hold(one: ConformanceCase, start: StartServer): Promise<Outcome> {
  let server: ServerUnderTest | undefined;
  try {
    server = await start(one.document);
    const why = await runCase(server, one);
    return why === undefined ? { kind: 'right' } : { kind: 'wrong', why: shorten(why) };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return { kind: 'hangs', why: 'no response in 5 s' };
    return { kind: 'wrong', why: shorten(error instanceof Error ? error.message : String(error)) };
  } finally {
    await server?.close();
  }
}

async function holdPrism(one: ConformanceCase, prism: PlainPrism): Promise<Outcome> {
  if (asksOnlyOurs(one.document)) return { kind: 'none' };
  const outcome = await hold(one, async (document) => checkOperation(await prism.start(document), one));
  // The end of the process follows the broken connection, or comes while the client still waits.
  await new Promise((resolve) => setTimeout(resolve, 20));
  return prism.hasDied ? { kind: 'dies', why: 'the process ends' } : outcome;
}

/**
 * Prism has no place for behaviour that streams, throws or responds wrongly, and does not know the extensions of
 * specmill: such cases ask only ours.
 */
function asksOnlyOurs(document: object): boolean {
  const text = JSON.stringify(document);
  const received = /"x-handler":"(\w+)"/.exec(text)?.[1] ?? 'mocker';
  return !['mocker', 'secret'].includes(received) || /"x-(?:enum-any-case|multi-segment)":/.test(text);
}

/** Where ours echo which operation was found, the examples of plain Prism tell it. */
function checkOperation(server: ServerUnderTest, { input }: ConformanceCase): ServerUnderTest {
  const wanted = (input as { readonly operation?: string } | undefined)?.operation;
  if (wanted === undefined) return server;
  return {
    ...server,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (!response.ok) return response;
      const { operationId } = (await response.clone().json()) as { readonly operationId?: string };
      if (operationId !== wanted) throw new Error(`${operationId} instead of ${wanted} was found`);
      return response;
    },
  };
}

function shorten(why: string): string {
  const [line = ''] = why.split('\n');
  return line.replace(/^(\d+ instead of [\d or]+): .*$/, '$1').slice(0, 120);
}

function printRow(row: ConformanceRow, held: readonly Held[]): string {
  const own = held.filter(({ one }) => rowOf(one) === row);
  return `| ${row.what} | ${own.length} | ${count(own.map(({ ours }) => ours))} | ${count(own.map(({ prism }) => prism))} | ${describe(own)} |`;
}

function printTotals(held: readonly Held[]): string {
  return `| all | ${held.length} | ${count(held.map(({ ours }) => ours))} | ${count(held.map(({ prism }) => prism))} | |`;
}

/** How many are right, of those that could be asked. */
function count(outcomes: readonly Outcome[]): string {
  const asked = outcomes.filter(({ kind }) => kind !== 'none');
  return asked.length === 0 ? '–' : `${asked.filter(({ kind }) => kind === 'right').length} of ${asked.length}`;
}

function describe(held: readonly Held[]): string {
  const words = { wrong: 'wrong', hangs: 'hang', dies: 'end the process' } as const;
  return Object.entries(words)
    .map(([kind, word]) => [held.filter(({ prism }) => prism.kind === kind).length, word] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(', ');
}

const root = path.join(import.meta.dirname, '..');
const JITI = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');

/** Plain Prism in its own processes: a new one where a request has ended the last. */
class PlainPrism {
  #host: ChildProcess | undefined;

  /** Whether a request has ended the process since it was last asked to serve. */
  get hasDied(): boolean {
    return this.#host === undefined || this.#host.exitCode !== null || this.#host.signalCode !== null;
  }

  /** @throws Error if Prism cannot serve the document. */
  readonly start: StartServer = async (document) => {
    if (this.#host === undefined || this.hasDied)
      this.#host = fork(JITI, [path.join(import.meta.dirname, 'prism-host.ts')], { stdio: 'ignore' });
    this.#host.send(document);
    const [response] = (await once(this.#host, 'message')) as [{ readonly url?: string; readonly error?: string }];
    if (response.url === undefined) throw new Error(response.error ?? 'Prism did not start.');
    return { url: response.url, fetch, echoes: false, close: () => Promise.resolve() };
  };

  close(): void {
    this.#host?.disconnect();
  }
}
