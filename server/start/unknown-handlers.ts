import type { Api } from '../../model/api.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import type { MockDefinition } from '../mock-definition.js';

/** Handlers of a behaviour that no operation asks for: a file is not type-checked when it is loaded, so only this check reports them. */
export function findUnknownHandlers({ operations = {} }: MockDefinition, api: Api, file: string): Diagnostic[] {
  const names = new Set(api.operations.flatMap(({ name, id }) => [name, id]));
  return Object.keys(operations)
    .filter((name) => !names.has(name))
    .map((name) => {
      const message = `The behaviour has a handler for ${name}, which is no operation of the API.${suggestName(name, [...names])}`;
      return createDiagnostic('handler-unknown', { file, pointer: '' }, message);
    });
}
