import { runContract } from '../../entry/contract.js';
import { STYLES, type Style, type Tables, loadStyle, serveStyle } from './existing-data-servers.js';
import { SHAPES } from './existing-data-shapes.js';

/** The servers with data. */
export const ALL: readonly Style[] = [...STYLES, ...SHAPES];

/** Things have no deletion that is known as one; a careless procedure moves rooms to the id `undefined`. */
const CANNOT = /^(?:no operation that the run may call deletes it|moveRoom may have changed its id to undefined)$/;

interface Outcome {
  /** The rows from before the run, as they are after it. */
  readonly kept: Tables;
  /** The number of rows that were not there before. */
  readonly added: number;
  readonly report: Awaited<ReturnType<typeof runContract>>;
}

/** Runs against a server of a style. */
export async function run(style: Style, options: object = {}): Promise<Outcome> {
  const tables = style.data();
  const api = await loadStyle(style);
  const report = await runContract({ api, url: 'http://127.0.0.1:9', fetch: serveStyle(style, tables), ...options });
  const before = style.data();
  const kept = Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, rows.slice(0, before[name]?.length)]),
  );
  const count = (all: Tables): number => Object.values(all).flat().length;
  return { kept, added: count(tables) - count(kept), report };
}

/** What a default run did to data from before, and what it left. */
export async function harmOf(style: Style, seed: number): Promise<object> {
  const { kept, added, report } = await run(style, { seed });
  const reasons = report.notDeleted.map(({ reason }) => reason);
  return {
    kept,
    unnamed: added - report.notDeleted.length,
    otherReasons: reasons.filter((reason) => !CANNOT.test(reason)),
    changed: report.changed,
    hasTested: report.requests > 10,
  };
}

/** The data is as before, and what the run made is deleted or named. */
export function noHarm(style: Style): object {
  return { kept: style.data(), unnamed: 0, otherReasons: [], changed: [], hasTested: true };
}
