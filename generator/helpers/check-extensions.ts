import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Api } from '../../model/api.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { packageRoot } from '../../model/package-info.js';
import { type ExtensionPlace, listExtensions } from './extension-places.js';

/** The file that describes every extension. */
export const EXTENSIONS_FILE: string = path.join(packageRoot, 'specs', 'extensions.schema.json');

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
  const validate = known.length === 0 ? undefined : await loadValidator();
  const diagnostics = known.flatMap((place) => {
    const on = hosts.get(place.name) ?? [];
    if (!NOTES.has(place.name) && !on.includes('any') && !on.includes(place.host))
      return [invalid(place, `has no meaning on a ${place.host}; it belongs on ${on.join(', ')}.`)];
    const [error] = validate?.(place.name, place.value) ?? [];
    return error === undefined ? [] : [invalid(place, `${error.pointer} ${error.message}.`.trim())];
  });
  const bad = new Set(diagnostics.map(({ file, pointer }) => `${file}#${pointer}`));
  return { diagnostics, isGood: (file, pointer) => !bad.has(`${file}#${pointer}`) };
}

function invalid({ name, source }: ExtensionPlace, problem: string): Diagnostic {
  return createDiagnostic('extension-invalid', source, `The extension ${name} is left out: ${problem}`);
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

type Validator = (name: string, value: unknown) => readonly { readonly pointer: string; readonly message: string }[];

let validator: Promise<Validator> | undefined;

/** Loads the validator when a document has the first described extension. */
function loadValidator(): Promise<Validator> {
  validator ??= (async () => {
    const [{ loadApi }, { compileValidator }] = await Promise.all([
      import('../../model/load-api.js'),
      import('../../schema/compile-validator.js'),
    ]);
    const described = await loadApi(EXTENSIONS_FILE);
    const validate = compileValidator(described, { $ref: `#/$defs/${described.rootSchema}` }, { direction: 'request' });
    return (name, value) =>
      validate({ [name]: value }).map(({ pointer, message }) => ({ pointer: pointer.slice(name.length + 1), message }));
  })();
  return validator;
}
