import { isHeaderMap, validateConfiguration } from '../generated/options/validators.js';
import { appendPointer } from '../model/document/pointer.js';
import { isRecord } from '../model/document/records.js';
import { parseVendor } from '../model/rename-vendor.js';
import { translateForeignConfig } from './foreign-config.js';
import { describeProblem, optionsOf, OPTION_SCHEMAS, type OptionProblem } from './option-schema.js';

/** Returns the first problem of a value as a configuration, or `undefined` if it is valid. */
export function findConfigProblem(value: unknown): OptionProblem | undefined {
  const result = validateConfiguration(value);
  if (result.ok) return findVendorProblem(result.value.apis);
  const problem = describeProblem(result.errors, 'Configuration', describePlace);
  return problem === undefined
    ? undefined
    : { ...problem, message: problem.message + suggestPlace(problem) + suggestShape(value) };
}

/** Whether HTTP can transmit a header. */
export function isHeader(name: string, value: unknown): value is string {
  return isHeaderMap({ [name]: value });
}

function findVendorProblem(apis: Readonly<Record<string, { readonly vendor?: string }>>): OptionProblem | undefined {
  for (const [name, { vendor }] of Object.entries(apis)) {
    if (vendor === undefined) continue;
    try {
      parseVendor(vendor);
    } catch (error) {
      return { pointer: appendPointer(appendPointer('/apis', name), 'vendor'), message: (error as Error).message };
    }
  }
  return undefined;
}

/** Members of an API that stand beside `apis` are easily meant for all of them. */
function suggestPlace({ pointer, message }: OptionProblem): string {
  const name = pointer.slice(1);
  const isOfApi = Object.hasOwn(optionsOf(OPTION_SCHEMAS['ApiConfiguration'] ?? {}), name);
  return isOfApi && message.endsWith(`no member ${name}.`) ? ` It belongs to an API: apis.<name>.${name}.` : '';
}

/** The configurations of other generators name APIs at the top or below `apis`, or one by `input` and `output`. */
function suggestShape(value: unknown): string {
  const ours = translateForeignConfig(isRecord(value) && 'apis' in value ? value['apis'] : value);
  return ours === undefined ? '' : ` Write it as ${ours}.`;
}

function describePlace(pointer: string): string {
  return pointer === '' ? 'The configuration' : `The member ${pointer} of the configuration`;
}
