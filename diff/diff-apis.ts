import type { Api } from '../model/api.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { type Locators, changeKey, indexPlaces, mergeChanges } from './merge-changes.js';
import { compareUnusedSchemas } from './compare-unused-schemas.js';
import { createLocationResolver } from './resolve-locations.js';
import { compareOperations } from './operations/compare-operations.js';
import { compareSchemes } from './operations/compare-security.js';
import { compareApiServers } from './operations/compare-servers.js';
import { countChanges } from './select-changes.js';
import { applyPolicy, type DiffPolicy } from './policy.js';
import { DiffContext } from './diff-context.js';
import type { ApiDiff, Change } from './api-diff.js';
import type { ChangePlaces } from './raw-change.js';
import { SpecLocation } from './location.js';
import { findExtensionChanges } from './operations/compare-words.js';
import { canonicalJson } from './schemas/canonical-json.js';
import { describeChange, quoteShort } from './phrases.js';

/** How two APIs are compared. */
export interface DiffOptions {
  /** Custom levels, and changes that you accept. */
  readonly policy?: DiffPolicy;
  /** The time with which sunset dates and waivers are compared. Default: the time of the call. */
  readonly now?: Date;
}

/**
 * Returns the changes between two versions of an API, each once, with levels for requests and for responses. Equivalent
 * specs (another OpenAPI version, a `$ref` instead of its target, another order) differ only in documentation.
 *
 * @throws InputError if one is an OpenAPI document and the other a bare JSON Schema.
 * @example
 * const diff = diffApis(await loadApi('old.yaml'), await loadApi('new.yaml'));
 * diff.changes.filter(({ level }) => level === 'breaking').map(({ message }) => message);
 */
export function diffApis(old: Api, next: Api, options: DiffOptions = {}): ApiDiff {
  return compareApis(old, next, options).diff;
}

/** The changes between two APIs, with their places in both. */
export interface ApiComparison {
  readonly diff: ApiDiff;
  /** The places of a change, as they were compared. */
  readonly placesOf: (change: Change) => ChangePlaces | undefined;
}

/** Compares two APIs as {@link diffApis} does, and keeps the places of the changes. */
export function compareApis(old: Api, next: Api, options: DiffOptions = {}): ApiComparison {
  if ((old.dialect === 'json-schema') !== (next.dialect === 'json-schema'))
    throw new InputError('An OpenAPI document cannot be compared with a JSON Schema.');
  const { now = new Date(), policy } = options;
  const context = new DiffContext(old, next, now);
  compareDocuments(context);
  compareApiServers(context);
  compareSchemes(context);
  compareOperations(context);
  compareUnusedSchemas(context);
  const locate = { old: createLocationResolver(old.files), new: createLocationResolver(next.files) };
  const raw = context.finish();
  const found = mergeChanges(raw, locate);
  const changes = policy?.versionRule === 'semver' ? checkVersion(found, context, locate) : found;
  const diff = {
    old: describe(old),
    new: describe(next),
    counts: countChanges(changes),
    changes,
    waived: 0,
    notes: [],
  };
  const places = indexPlaces(raw, locate);
  return {
    diff: policy === undefined ? diff : applyPolicy(diff, policy, now),
    placesOf: (change) => places().get(changeKey(change)),
  };
}

function describe({ files, title, version }: Api): ApiDiff['old'] {
  return { file: files[0]?.path ?? '', title, version };
}

/** Compares the parts of the documents that concern the whole API. */
function compareDocuments(context: DiffContext): void {
  const { old, new: next } = context;
  const usages = [{ direction: 'request' as const }];
  const [was, is] = [SpecLocation.ofApi(old), SpecLocation.ofApi(next)];
  const report = (message: string, ...steps: string[]): void =>
    context.report({ kind: 'info-changed', message, old: was.child(...steps), new: is.child(...steps) }, usages);
  for (const keyword of ['title', 'version'] as const)
    if (old[keyword] !== next[keyword])
      report(`The ${keyword} of the API ${describeChange(old[keyword], next[keyword])}`, 'info', keyword);
  if (old.description !== next.description) report('The description of the API has changed', 'info', 'description');
  if (canonicalJson(old.tags) !== canonicalJson(next.tags)) report('The list of tags has changed', 'tags');
  const changes = findExtensionChanges({
    old: { extensions: old.extensions, source: was.root.source },
    new: { extensions: next.extensions, source: is.root.source },
    title: 'the API',
  });
  for (const change of changes) context.report(change, usages);
}

/** Adds a change if something breaks and the major version stays the same. Versions below 1.0.0 promise nothing. */
function checkVersion(changes: readonly Change[], context: DiffContext, locate: Locators): readonly Change[] {
  const [was, is] = [majorOf(context.old.version), majorOf(context.new.version)];
  const breaks = changes.some(({ level }) => level === 'breaking');
  if (!breaks || was === undefined || is === undefined || was === 0 || is > was) return changes;
  const message = `A change is breaking, and the version is ${quoteShort(context.new.version)}, was ${quoteShort(context.old.version)}`;
  const place = (api: DiffContext['old']): SpecLocation => SpecLocation.ofApi(api).child('info', 'version');
  const change = { kind: 'version-not-raised' as const, message, old: place(context.old), new: place(context.new) };
  const [added] = mergeChanges([{ change, usages: [{ direction: 'request' }] }], locate);
  const first = changes.findIndex(({ level }) => level !== 'breaking');
  return added === undefined ? changes : changes.toSpliced(first === -1 ? changes.length : first, 0, added);
}

/** The major version of a semantic version with three parts. */
function majorOf(version: string): number | undefined {
  const [, major] = /^v?(\d+)\.\d+\.\d+(?:[-+]|$)/.exec(version) ?? [];
  return major === undefined ? undefined : Number(major);
}
