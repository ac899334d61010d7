import { suggestName } from '../model/diagnostics/closest-name.js';
import { InputError } from '../model/diagnostics/input-error.js';

/**
 * Adds what the chosen emitters require, and orders all so that each comes after what it requires; otherwise in the
 * order of `known`.
 *
 * @throws InputError if an emitter requires one that does not exist, or that requires it in turn.
 */
export function orderEmitters(
  chosen: readonly string[],
  known: readonly string[],
  requirementsOf: (name: string) => readonly string[],
): string[] {
  const ordered = new Set<string>();
  const open: string[] = [];
  const add = (name: string): void => {
    if (ordered.has(name)) return;
    if (open.includes(name))
      throw new InputError(
        `The emitters ${[...open.slice(open.indexOf(name)), name].join(' -> ')} require each other.`,
      );
    open.push(name);
    for (const required of requirementsOf(name)) {
      if (!known.includes(required))
        throw new InputError(
          `The emitter ${JSON.stringify(name)} requires ${JSON.stringify(required)}, which is not an emitter of this API.${suggestName(required, known)}`,
        );
      add(required);
    }
    open.pop();
    ordered.add(name);
  };
  for (const name of known) if (chosen.includes(name)) add(name);
  return [...ordered];
}
