import { isResourceCorrections } from '../generated/options/validators.js';
import type { Api } from '../model/api.js';
import { createDiagnostic } from '../model/diagnostics/create-diagnostic.js';
import { InputError, type InputPlace } from '../model/diagnostics/input-error.js';
import { locateDiagnostics } from '../model/diagnostics/locate-diagnostics.js';
import { placeInFile } from '../model/diagnostics/place-in-file.js';
import { withoutUndefined } from '../model/document/records.js';
import { RESOURCES_EXTENSION } from '../model/overlay/add-resources.js';

/**
 * Checks the corrections of an API that was loaded. Returns the API; without corrections, if those of the spec have
 * another shape, which is a diagnostic: the extension may be someone else's.
 *
 * @throws InputError if corrections of the configuration have a wrong shape, or corrections name a path, an operation or
 *   a member that the API does not have.
 */
export async function checkCorrections(api: Api): Promise<Api> {
  const value = api.extensions[RESOURCES_EXTENSION];
  if (value === undefined) return api;
  if (!isResourceCorrections(value)) return withoutCorrections(api, value);
  const { findCorrectionProblem } = await import('./correction-problems.js');
  const problem = findCorrectionProblem(api);
  if (problem === undefined) return api;
  throw new InputError(problem.message, placeOf(api, problem.pointer));
}

async function withoutCorrections(api: Api, value: unknown): Promise<Api> {
  const { loadExtensionCheck } = await import('../schema/validate-extension.js');
  const [error = { pointer: '', message: 'has an unknown form' }] = (await loadExtensionCheck())(
    RESOURCES_EXTENSION,
    value,
  );
  const pointer = `/${RESOURCES_EXTENSION}${error.pointer}`;
  const problem = `${error.pointer || 'it'} ${error.message}.`.replace('?.', '?');
  if (originOf(api, pointer)?.isConfigured === true)
    throw new InputError(`The resources of the configuration cannot be used: ${problem}`, placeOf(api, pointer));
  const message = `The extension ${RESOURCES_EXTENSION} is left out: ${problem}`;
  const diagnostic = createDiagnostic('extension-invalid', { file: fileOf(api), pointer }, message);
  const { [RESOURCES_EXTENSION]: _, ...extensions } = api.extensions;
  return { ...api, extensions, diagnostics: [...api.diagnostics, ...locateDiagnostics([diagnostic], api.files)] };
}

/** The place of a part of the root of the spec, in the file that contains its text. */
function placeOf(api: Api, pointer: string): InputPlace {
  const origin = originOf(api, pointer);
  if (origin?.isConfigured === true) return placeInFile(origin);
  const diagnostic = createDiagnostic('extension-invalid', { file: fileOf(api), pointer }, '');
  const [{ file, line, column, pointer: place } = diagnostic] = locateDiagnostics([diagnostic], api.files);
  return withoutUndefined({ file, line, column, pointer: place });
}

function originOf(api: Api, pointer: string): ReturnType<NonNullable<Api['files'][number]['originOf']>> | undefined {
  return api.files[0]?.originOf?.(pointer);
}

function fileOf({ files }: Api): string {
  return files[0]?.path ?? '';
}
