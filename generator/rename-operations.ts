import type { NamedOperation } from '../config/config-types.js';
import type { Api, Operation } from '../model/api.js';
import { createDiagnostic } from '../model/diagnostics/create-diagnostic.js';
import { InputError } from '../model/diagnostics/input-error.js';
import type { Diagnostic } from '../model/diagnostics/diagnostic.js';
import { NameAllocator, toValueName } from '../model/identifiers.js';

/**
 * Returns the API with the operation names of the configuration. A name that is taken gets a number, with a diagnostic.
 *
 * @throws InputError if the function throws, or returns something other than a text.
 */
export function renameOperations(
  api: Api,
  names: ((operation: NamedOperation) => string | undefined) | undefined,
  report: (diagnostic: Diagnostic) => void,
): Api {
  if (names === undefined) return api;
  const allocator = new NameAllocator();
  const operations = api.operations.map((operation): Operation => {
    const wanted = toValueName(callNames(names, operation) ?? operation.name);
    const name = allocator.take(wanted);
    if (name !== wanted)
      report(
        createDiagnostic('name-taken', operation.source, `${operation.id} is called ${name}: ${wanted} is taken.`),
      );
    return { ...operation, name };
  });
  return { ...api, operations };
}

function callNames(
  names: (operation: NamedOperation) => string | undefined,
  { id, method, path, tags, name }: Operation,
): string | undefined {
  let given: unknown;
  try {
    given = names({ id, method, path, tags, name });
  } catch (cause) {
    throw new InputError(`The function names of the configuration failed for ${id}: ${String(cause)}`, {}, { cause });
  }
  if (given === undefined || (typeof given === 'string' && given.trim() !== '')) return given;
  throw new InputError(`The function names of the configuration must return a text for ${id}.`);
}
