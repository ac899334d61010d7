import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { CommonFlags, DraftCommand } from '../../generated/options/types.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { InputError, systemReason } from '../../model/diagnostics/input-error.js';
import { countOf } from '../../reports/counts.js';
import type { TrafficByHost } from '../../traffic/draft/host-traffic.js';
import type { RunCommand } from '../command.js';
import { showPath } from '../format-place.js';
import { EXIT, type Io, toJsonText, toTerminalText } from '../io.js';
import { writeYaml } from '../write-yaml.js';

export const runDraft: RunCommand<DraftCommand> = async (recordings, flags, io) => {
  const { readAllExchanges } = await import('../../http/recording/read-exchanges.js');
  const { TrafficByHost } = await import('../../traffic/draft/host-traffic.js');
  const { writeDraft } = await import('../../traffic/draft/draft-spec.js');
  const traffic = new TrafficByHost();
  for await (const exchange of readAllExchanges(recordings, { cwd: io.cwd, subject: 'The recording' }))
    traffic.add(exchange);
  const origins = chooseOrigins(traffic, flags.host);
  const { document, operations } = writeDraft(traffic.join(origins));
  if (operations === 0)
    throw new InputError('No recorded call shows an operation: there is no call, or each one is 404.');
  await writeOut(document, flags, io);
  for (const line of summarise(traffic, { origins, operations, out: flags.out }, io))
    io.err(`${toTerminalText(line)}\n`);
  return EXIT.done;
};

/** The hosts whose calls are taken. @throws InputError if no call went to a host that the user names. */
function chooseOrigins({ hosts }: TrafficByHost, given: readonly string[] | undefined): readonly string[] {
  if (given === undefined) return hosts.slice(0, 1).map(({ origin }) => origin);
  const nameOf = (origin: string): string => (origin === '' ? '' : new URL(origin).host);
  for (const name of given) {
    if (hosts.some(({ origin }) => nameOf(origin) === name || origin === name)) continue;
    const hint = suggestName(
      name,
      hosts.map(({ origin }) => nameOf(origin)),
    );
    throw new InputError(`No recorded call went to the host ${toTerminalText(name)}.${hint}`);
  }
  return hosts.flatMap(({ origin }) => (given.includes(nameOf(origin)) || given.includes(origin) ? [origin] : []));
}

async function writeOut(document: object, { out, json }: DraftCommand & CommonFlags, io: Io): Promise<void> {
  const isJson = out === undefined ? json === true : out.toLowerCase().endsWith('.json');
  const text = isJson ? `${toJsonText(document, 2)}\n` : writeYaml(document);
  if (out === undefined) return io.out(text);
  const file = path.resolve(io.cwd, out);
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new InputError(`The draft cannot be written: ${systemReason(error)}.`, { file }, { cause: error });
  }
}

interface Drafted {
  readonly origins: readonly string[];
  readonly operations: number;
  readonly out: string | undefined;
}

/** The draft, and how many calls it does not describe. */
function* summarise(
  { hosts, leftOut }: TrafficByHost,
  { origins, operations, out }: Drafted,
  io: Io,
): Iterable<string> {
  const taken = hosts.filter(({ origin }) => origins.includes(origin));
  const calls = taken.reduce((sum, one) => sum + one.calls, 0);
  const names = taken.flatMap(({ origin }) => (origin === '' ? [] : [origin])).join(', ');
  const place = out === undefined ? '' : ` in ${showPath(path.resolve(io.cwd, out), io.cwd)}`;
  yield `Drafted ${countOf(operations, 'operation')} from ${countOf(calls, 'call')}${names === '' ? '' : ` to ${names}`}${place}.`;
  const others = hosts.filter(({ origin }) => !origins.includes(origin));
  for (const { origin, calls: left } of others.slice(0, 5))
    yield `Left out: ${countOf(left, 'call')} to ${origin === '' ? 'no host' : origin}; --host takes them.`;
  if (others.length > 5) yield `Left out: calls to ${others.length - 5} more hosts.`;
  if (leftOut > 0) yield `Left out: ${countOf(leftOut, 'call')} that got no response, or asked for a part of a page.`;
}
