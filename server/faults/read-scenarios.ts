import type { Api } from '../../model/api.js';
import { hashContent } from '../../model/content-hash.js';
import { InputError, type InputPlace } from '../../model/diagnostics/input-error.js';
import { createLocator } from '../../model/diagnostics/locate.js';
import { appendPointer } from '../../model/document/pointer.js';
import { readDataFile } from '../../model/document/read-input-file.js';
import { isRecord } from '../../model/document/records.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { findFaultProblem, findFaultShapeProblem } from './check-faults.js';
import type { Fault, Scenarios } from './fault.js';

/**
 * Reads files of scenarios: maps from a name to a list of faults, in YAML or JSON.
 *
 * @param files - absolute paths.
 * @throws InputError with file, line and JSON pointer for the first thing that is wrong
 */
export async function readScenarios(files: readonly string[], api: Api): Promise<Scenarios | undefined> {
  if (files.length === 0) return undefined;
  const lists = new Map<string, readonly Fault[]>();
  const texts: string[] = [];
  for (const file of files) {
    const { value, text } = await readDataFile(file, 'The scenarios');
    texts.push(text);
    const locate = createLocator(text);
    const placeOf = (pointer: string): InputPlace => ({ file, ...locate(pointer), pointer });
    if (!isRecord(value))
      throw new InputError('The scenarios must be a map from a name to a list of faults.', placeOf(''));
    for (const [name, faults] of Object.entries(value)) {
      const pointer = appendPointer('', name);
      if (lists.has(name))
        throw new InputError(`The scenario ${stringifyExactJson(name)} is in two files.`, placeOf(pointer));
      const problem = (await findFaultShapeProblem(faults)) ?? findFaultProblem(faults as readonly Fault[], api);
      if (problem !== undefined) throw new InputError(problem.message, placeOf(pointer + problem.pointer));
      lists.set(name, faults as readonly Fault[]);
    }
  }
  return { hash: hashContent(texts.join('\n')), lists };
}
