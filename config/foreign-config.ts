import { toFileName } from '../model/identifiers.js';
import { nameOfSpec } from '../model/document/address.js';
import { isRecord } from '../model/document/records.js';

/** The configuration files of other generators, with the names that their users call them by. */
export const FOREIGN_CONFIGS: Readonly<Record<string, string>> = {
  'orval.config': 'orval',
  'openapi-ts.config': 'hey-api',
  'kubb.config': 'kubb',
};

interface Entry {
  readonly name?: string;
  readonly spec: string;
  readonly output: string;
  readonly emitters: readonly string[];
}

/**
 * Writes the configuration of another generator as one of ours; `undefined` for an unknown shape. Known are
 * those of orval (`shop: { input, output }`), and of hey-api and kubb (`input`, `output`, and a list of these).
 */
export function translateForeignConfig(value: unknown): string | undefined {
  const entries = [value].flat().flatMap(readEntries);
  if (entries.length === 0) return undefined;
  return `{ apis: { ${entries.map(printEntry).join(', ')} } }`;
}

function readEntries(value: unknown): Entry[] {
  if (!isRecord(value)) return [];
  if ('input' in value) return readEntry(value, undefined);
  return Object.entries(value).flatMap(([name, one]) => (isRecord(one) && 'input' in one ? readEntry(one, name) : []));
}

function readEntry(value: Readonly<Record<string, unknown>>, name: string | undefined): Entry[] {
  const spec = readAddress(value['input']);
  if (spec === undefined) return [];
  const output = readAddress(value['output'])?.replace(/\.[cm]?[jt]sx?$/, '') ?? 'generated';
  return [{ spec, output, emitters: readEmitters(value), ...(name === undefined ? {} : { name }) }];
}

/** A path, or an object that has it: `target` in orval, `path` in the others. */
function readAddress(value: unknown): string | undefined {
  if (Array.isArray(value)) return readAddress(value[0]);
  if (typeof value === 'string') return value;
  return isRecord(value) ? readAddress(value['target'] ?? value['path'] ?? value['workspace']) : undefined;
}

/** Which emitters make what a plugin of hey-api or kubb, or the client or mock of orval, made. */
const EMITTERS: readonly (readonly [RegExp, string])[] = [
  [/-query$|-query-/, 'tanstack-query'],
  [/zod$/, 'zod'],
  [/msw$/, 'msw'],
];

function readEmitters(value: Readonly<Record<string, unknown>>): string[] {
  const output = isRecord(value['output']) ? value['output'] : {};
  const plugins = [value['plugins'] ?? []].flat().map((one: unknown) => (isRecord(one) ? one['name'] : one));
  const words = [...plugins, output['client'], output['mock'] === undefined ? undefined : 'msw'];
  const found = EMITTERS.filter(([pattern]) => words.some((word) => typeof word === 'string' && pattern.test(word)));
  return found.map(([, emitter]) => emitter);
}

function printEntry({ name, spec, output, emitters }: Entry): string {
  const key = toFileName(name ?? nameOfSpec(spec));
  const shown = /^[a-z]\w*$/.test(key) ? key : JSON.stringify(key);
  const added = emitters.length === 0 ? '' : `, emitters: ${JSON.stringify(emitters)}`;
  return `${shown}: { spec: ${JSON.stringify(spec)}, output: ${JSON.stringify(output)}${added} }`;
}
