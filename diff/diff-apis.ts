import type { Api } from '../model/api.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { mergeChanges } from './merge-changes.js';
import { checkVersion, compareDocuments } from './compare-documents.js';
import { compareUnusedSchemas } from './compare-unused-schemas.js';
import { createLocationResolver } from './resolve-locations.js';
import { compareOperations } from './operations/compare-operations.js';
import { compareSchemes } from './operations/compare-security.js';
import { compareApiServers } from './operations/compare-servers.js';
import { countChanges } from './count-changes.js';
import { type DiffPolicy, applyPolicy } from './policy.js';
import { DiffContext } from './diff-context.js';
import type { ApiDiff } from './types.js';

/** How two APIs are compared. */
export interface DiffOptions {
  /** Levels of your own, and changes that you accept. */
  readonly policy?: DiffPolicy;
  /** Sunset dates and waivers are compared with it. Default: the time of the call. */
  readonly now?: Date;
}

/**
 * The changes between two versions of an API, each once, judged for requests and for responses.
 * Equivalent specs (another version of OpenAPI, a `$ref` instead of its target, another order) differ in documentation
 * only.
 *
 * @throws InputError if one is an OpenAPI document and the other a bare JSON Schema.
 * @example
 * const diff = diffApis(await loadApi('old.yaml'), await loadApi('new.yaml'));
 * diff.changes.filter(({ level }) => level === 'breaking').map(({ message }) => message);
 */
export function diffApis(old: Api, next: Api, options: DiffOptions = {}): ApiDiff {
  if ((old.dialect === 'json-schema') !== (next.dialect === 'json-schema'))
    throw new InputError('One of the specs is an OpenAPI document and the other is a JSON Schema.');
  const { now = new Date(), policy } = options;
  const context = new DiffContext(old, next, now);
  compareDocuments(context);
  compareApiServers(context);
  compareSchemes(context);
  compareOperations(context);
  compareUnusedSchemas(context);
  const locate = { old: createLocationResolver(old.files), new: createLocationResolver(next.files) };
  const found = mergeChanges(context.finish(), locate);
  const changes = policy?.versionRule === 'semver' ? checkVersion(found, context, locate) : found;
  const diff = {
    old: describe(old),
    new: describe(next),
    counts: countChanges(changes),
    changes,
    waived: 0,
    notes: [],
  };
  return policy === undefined ? diff : applyPolicy(diff, policy, now);
}

function describe({ files, title, version }: Api): ApiDiff['old'] {
  return { file: files[0]?.path ?? '', title, version };
}
