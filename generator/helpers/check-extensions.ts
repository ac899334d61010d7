import { readFileSync } from 'node:fs';

import type { Api } from '../../model/api.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { Diagnostic, SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { InputError } from '../../model/diagnostics/input-error.js';
import { placeInFile } from '../../model/diagnostics/place-in-file.js';
import { EXTENSIONS_FILE, loadExtensionCheck } from '../../schema/validate-extension.js';
import { listExtensions } from './extension-places.js';

/** The diagnostics of the extensions of an API, and the valid extensions. */
export interface CheckedExtensions {
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the extension at a place is valid; an undescribed extension is allowed. */
  readonly isGood: (file: string, pointer: string) => boolean;
}

/** Extensions that are notes: they change nothing, so they are allowed everywhere. */
const NOTES: ReadonlySet<string> = new Set(['x-assumption', 'x-rule', 'x-scopes', 'x-accept', 'x-policy']);

/** Checks the extensions of an API against `specs/extensions.schema.json`. */
export async function checkExtensions(api: Api): Promise<CheckedExtensions> {
  const hosts = readHosts();
  // Most documents have no described extension, so they are not searched.
  const isDescribed = api.extensionNames.some((name) => hosts.has(name));
  const known = isDescribed ? listExtensions(api).filter(({ name }) => hosts.has(name)) : [];
  const validate = known.length === 0 ? undefined : await loadExtensionCheck();
  const bad = new Set<string>();
  const diagnostics = known.flatMap(({ name, source, host, value }) => {
    const on = hosts.get(name) ?? [];
    const isMisplaced = !NOTES.has(name) && !on.includes('any') && !on.includes(host);
    const [error] = isMisplaced
      ? [{ pointer: '', message: `has no meaning on a ${host}; it belongs on ${on.join(', ')}` }]
      : (validate?.(name, value) ?? []);
    if (error === undefined) return [];
    bad.add(`${source.file}#${source.pointer}`);
    const problem = `${error.pointer || 'it'} ${error.message}.`.replace('?.', '?');
    return [reportExtension(api, name, { source, member: error.pointer, problem })];
  });
  return { diagnostics, isGood: (file, pointer) => !bad.has(`${file}#${pointer}`) };
}

/** What is wrong with an extension. */
interface ExtensionProblem {
  /** The place of the extension. */
  readonly source: SourceLocation;
  /** JSON pointer into the value of the extension, to the member that is wrong. */
  readonly member: string;
  /** The rest of a sentence about the extension. */
  readonly problem: string;
}

/**
 * Describes an invalid extension.
 *
 * @throws InputError if it is a helper of the configuration: the spec may be foreign, but the helper is the user's own.
 */
export function reportExtension(api: Api, name: string, { source, member, problem }: ExtensionProblem): Diagnostic {
  const place = { file: source.file, pointer: source.pointer + member };
  const origin = api.files.find(({ path: file }) => file === place.file)?.originOf?.(place.pointer);
  if (origin?.isConfigured === true)
    throw new InputError(`The helper ${name} of the configuration cannot be used: ${problem}`, placeInFile(origin));
  return createDiagnostic('extension-invalid', place, `The extension ${name} is left out: ${problem}`);
}

let knownHosts: ReadonlyMap<string, readonly string[]> | undefined;

/** The objects that may have an extension, by extension. */
function readHosts(): ReadonlyMap<string, readonly string[]> {
  if (knownHosts === undefined) {
    const schema = JSON.parse(readFileSync(EXTENSIONS_FILE, 'utf8')) as ExtensionsSchema;
    knownHosts = new Map(Object.entries(schema.properties).map(([name, property]) => [name, property['x-on']]));
  }
  return knownHosts;
}

interface ExtensionsSchema {
  readonly properties: Readonly<Record<string, { readonly 'x-on': readonly string[] }>>;
}
