import type { Api } from '../model/api.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { mergeChanges } from './merge-changes.js';
import { compareDocuments } from './compare-documents.js';
import { compareUnusedSchemas } from './compare-unused-schemas.js';
import { createLocationResolver } from './resolve-locations.js';
import { compareOperations } from './operations/compare-operations.js';
import { compareSchemes } from './operations/compare-security.js';
import { compareApiServers } from './operations/compare-servers.js';
import { countChanges } from './select-changes.js';
import { DiffContext } from './diff-context.js';
import type { ApiDiff } from './types.js';

/**
 * What changed between two versions of an API, each change once, judged for what clients send and for what they receive.
 * Equivalent specs (another version of OpenAPI, a `$ref` instead of its target, another order) differ in documentation
 * only.
 *
 * @throws InputError where one is an OpenAPI document and the other a bare JSON Schema.
 * @example
 * const diff = diffApis(await loadApi('old.yaml'), await loadApi('new.yaml'));
 * diff.changes.filter(({ level }) => level === 'breaking').map(({ message }) => message);
 */
export function diffApis(old: Api, next: Api): ApiDiff {
  if ((old.dialect === 'json-schema') !== (next.dialect === 'json-schema'))
    throw new InputError('One of the specs is an OpenAPI document and the other is a JSON Schema.');
  const context = new DiffContext(old, next);
  compareDocuments(context);
  compareApiServers(context);
  compareSchemes(context);
  compareOperations(context);
  compareUnusedSchemas(context);
  const locate = { old: createLocationResolver(old.files), new: createLocationResolver(next.files) };
  const changes = mergeChanges(context.finish(), locate);
  return { old: describe(old), new: describe(next), counts: countChanges(changes), changes };
}

function describe({ files, title, version }: Api): ApiDiff['old'] {
  return { file: files[0]?.path ?? '', title, version };
}
