import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Api } from '../../model/api.js';
import { InputError, systemReason } from '../../model/diagnostics/input-error.js';
import { isRecord } from '../../model/document/records.js';
import { loadYaml } from '../../model/document/yaml-library.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import type { OverlayAction } from './observation.js';
import type { ObservationLog } from './observation-log.js';
import { formatActions } from './format-actions.js';
import { PlaceTotals } from './place-totals.js';
import { responseActions } from './response-actions.js';
import { writeActions } from './member-actions.js';
import { schemaActions } from './schema-actions.js';

/** What the responses of a server say about its spec. */
export interface OverlayDraft {
  readonly actions: readonly OverlayAction[];
  /** How many observations may be faults of the server. */
  readonly uncertain: number;
  /** How many are about files that overlays do not change: those that the spec references. */
  readonly elsewhere: number;
  /** How many actions would need a name with control characters, which no JSONPath can have. */
  readonly unnamed: number;
  /** How many parts of values found no room in memory. */
  readonly omitted: number;
}

/** Turns what is certain of the observations into actions. */
function draftOverlay(log: ObservationLog): OverlayDraft {
  const { api, responses, folded, writes, room } = log;
  const entries = new Set(api.files.filter(({ isEntry }) => isEntry === true).map((file) => file.path));
  const order = new Map(api.operations.map(({ id }, index) => [id, index]));
  const tallies = [...responses.values()].toSorted(
    (one, other) =>
      (order.get(one.operation.id) ?? 0) - (order.get(other.operation.id) ?? 0) || one.status - other.status,
  );
  const ofResponses = responseActions(log, tallies);
  const observations = [...folded.values()].toSorted((one, other) => (one.at.pointer < other.at.pointer ? -1 : 1));
  const here = observations.filter(({ at }) => entries.has(at.file));
  const ofSchemas = schemaActions(here, { api, totals: new PlaceTotals(api, tallies) });
  const ofFormats = formatActions(api, tallies).filter(({ at }) => entries.has(at.file));
  const ofWrites = writeActions(writes.setByServer.filter(({ at }) => entries.has(at.file)));
  const reached = ofResponses.filter(({ at }) => entries.has(at.file));
  const made = withoutRepeated([
    ...reached.flatMap(({ actions }) => actions),
    ...ofSchemas.actions,
    ...ofFormats.map(({ action }) => action),
    ...ofWrites,
  ]);
  const actions = made.filter(({ target }) => isReadable(target));
  return {
    actions,
    uncertain: ofSchemas.uncertain + reached.reduce((sum, { uncertain }) => sum + uncertain, 0),
    unnamed: made.length - actions.length,
    elsewhere: ofResponses.length - reached.length + observations.length - here.length,
    omitted: room.omitted,
  };
}

/** Readers of JSONPath refuse names with control characters, even escaped. */
function isReadable(target: string): boolean {
  return !/\\u00[01]/.test(target);
}

/** Several operations may share a response, and what one of them shows is enough. */
function withoutRepeated(actions: readonly OverlayAction[]): OverlayAction[] {
  const known = new Set<string>();
  return actions.filter(({ target, update, remove }) => {
    const key = stringifyExactJson([target, update ?? remove]);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

/** What was written. */
interface WrittenOverlay extends Omit<OverlayDraft, 'actions'> {
  readonly file: string;
  readonly actions: number;
}

/**
 * Writes an overlay, as JSON if the name of its file ends in `.json`, else as YAML. If the API was loaded with this
 * overlay, its actions stay, and new ones follow. Writes nothing if there is no action at all.
 *
 * @throws InputError if it cannot be written.
 */
export async function writeOverlay(file: string, log: ObservationLog): Promise<WrittenOverlay> {
  const { actions, ...rest } = draftOverlay(log);
  const applied = log.api.files.find((one) => one.path === file && one.isEntry !== true);
  const known = applied === undefined ? [] : readActions(applied.text);
  if (actions.length > 0) await write(file, printOverlay(log.api, [...known, ...actions], file.endsWith('.json')));
  return { file, actions: actions.length, ...rest };
}

function readActions(text: string): readonly unknown[] {
  const root: unknown = loadYaml().parse(text);
  const actions = isRecord(root) ? root['actions'] : undefined;
  return Array.isArray(actions) ? actions : [];
}

function printOverlay({ title, version }: Api, actions: readonly unknown[], isJson: boolean): string {
  const info = { title: `What the server of ${title} does beyond its spec`, version };
  const overlay = { overlay: '1.0.0', info, actions };
  if (isJson) return `${stringifyExactJson(overlay, 2)}\n`;
  return loadYaml().stringify(overlay, { lineWidth: 120, aliasDuplicateObjects: false });
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new InputError(`The overlay cannot be written: ${systemReason(error)}.`, { file }, { cause: error });
  }
}
