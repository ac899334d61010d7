import type { Mock, MockCall, MockWork } from '../entry/mock.js';
import { basePaths } from '../model/base-url.js';
import { wireMethod } from '../model/http-method.js';
import { type Io, toJsonText, toTerminalText } from './io.js';

/** The most operations that are listed for all mocks together, and the least for each. */
const LISTED = 20;
const LEAST_LISTED = 3;

/** Lists where a mock can be called: its page and its first operations. */
export function printOperationList(mock: Mock<object>, mocks: number, io: Io): void {
  const { operations } = mock.api;
  const most = Math.max(LEAST_LISTED, Math.floor(LISTED / mocks));
  const lines = operations.slice(0, most).map(({ method, path, servers }) => {
    const [base = ''] = basePaths(servers);
    return `  ${wireMethod(method).padEnd(7)}${mock.url}${base}${path}`;
  });
  const more = operations.length - lines.length;
  io.out(`\n${toTerminalText(`${mock.api.title}: ${mock.url}/__specmill/`)}\n`);
  for (const line of lines) io.out(`${toTerminalText(line)}\n`);
  if (more > 0) io.out(`  and ${more} more\n`);
}

export function formatCallAsJson(call: MockCall): string {
  const { error, ...rest } = call;
  return toJsonText(error === undefined ? rest : { ...rest, error: textOf(error) });
}

/** Formats a call as one line, with the first violation or else note. If a handler threw, its stack follows. */
export function formatCall(call: MockCall, isColoured: boolean): string {
  const { at, api, sandbox, method, path, status, durationMs, violations, notes = [], error } = call;
  const said = [...violations.map((one) => `${one.in}${one.pointer}: ${one.message}`), ...notes];
  const more = said.length > 1 ? ` (and ${said.length - 1} more)` : '';
  const shown = status === 0 ? 'aborted' : String(status);
  const parts = [
    timeOf(at),
    api,
    method,
    path,
    isColoured ? `\u001B[${colourOf(status)}m${shown}\u001B[0m` : shown,
    `${Math.round(durationMs)} ms`,
    ...(sandbox === 'default' ? [] : [`[${sandbox}]`]),
  ];
  const [before, after] = [parts.slice(0, 4), parts.slice(5)].map((some) => toTerminalText(some.join(' ')));
  const line = `${before} ${parts[4]} ${after}${said[0] === undefined ? '' : toTerminalText(`  ${said[0]}${more}`)}`;
  return error === undefined ? line : `${line}\n${toTerminalText(textOf(error), { lines: true })}`;
}

/** Formats a job or an attempt to deliver a callback as one line. */
export function formatWork({ at, api, sandbox, kind, name, outcome }: MockWork): string {
  const place = sandbox === 'default' ? '' : ` [${sandbox}]`;
  return toTerminalText(`${timeOf(at)} ${api} ${kind} ${name} ${outcome}${place}`);
}

function timeOf(at: string): string {
  return new Date(at).toTimeString().slice(0, 8);
}

/** ANSI colours: red for failures, yellow for refusals, green for the rest. */
function colourOf(status: number): number {
  if (status === 0 || status >= 500) return 31;
  return status >= 400 ? 33 : 32;
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
