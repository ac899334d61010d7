import type { Api } from '../../model/api.js';
import { NameAllocator } from '../../model/identifiers.js';
import type { EmitOptions, GeneratedFile } from '../emitter.js';
import { runtimeFiles } from '../runtime-files.js';
import { convertsValues } from '../types/value-types.js';
import { listConverted, printCodec } from './print-codecs.js';
import { printImported, RuntimeImports } from './runtime-imports.js';

/** Emits `codecs.ts`: the codec of each named schema whose values are converted. */
export function emitCodecs(api: Api, { types }: EmitOptions): GeneratedFile[] {
  if (!convertsValues(types)) return [];
  const names = listConverted(api, types);
  if (names.size === 0) return [];
  const taken = [...api.schemas.keys()];
  const type = new NameAllocator({ taken }).take('Codec');
  const imports = new RuntimeImports([type, ...taken]);
  const printer = {
    api,
    types,
    use: (name: string): string => imports.use(name),
    named: (name: string): string => `/* @__PURE__ */ ${imports.use('lazy')}(() => ${name})`,
    mark: '/* @__PURE__ */ ',
  };
  const constants = [...api.schemas.values()]
    .filter(({ name }) => names.has(name))
    .map(
      ({ name, schema }) => `export const ${name}: ${type} = ${printCodec(schema, printer) ?? '(value) => value'};\n`,
    );
  const functions = imports.all.map(({ name, local }) => printImported(name, local));
  const text = `import { type ${printImported('Codec', type)}, ${functions.join(', ')} } from './runtime/codecs.js';\n\n${constants.join('\n')}`;
  return [{ path: 'codecs.ts', contents: text }, ...runtimeFiles(['codecs'])];
}
