import type { EmitterApi, EmitterKit, EmitterOperation, OutputName } from '../../emitter-kit/contract.js';

/** Modules of the runtime that operations refer to, by local name. */
const MODULES = {
  bodies: 'server-bodies',
  codecs: 'codecs',
  contents: 'server-content',
  integers: 'json-integers',
  parameters: 'server-parameters',
  routes: 'special-routes',
  security: 'server-security',
  values: 'server-values',
  writers: 'server-writers',
  xml: 'xml',
} as const;

type LocalName = keyof typeof MODULES | 'Codecs';

/** What the data of operations is printed with. */
export interface OperationScope {
  readonly api: EmitterApi;
  readonly kit: EmitterKit;
  readonly checksResponses: boolean;
  readonly isImplemented: (operation: EmitterOperation) => boolean;
  /** Notes that a module is used; returns its local name. */
  readonly use: (local: LocalName) => string;
}

/** Collects the modules that one file uses. */
export class UsedModules {
  readonly #names = new Set<LocalName>();

  readonly use = (local: LocalName): string => {
    this.#names.add(local);
    return local;
  };

  /** Prints the imports. @param up - leads to the folder of the output. */
  print(kit: EmitterKit, up: string): string {
    const paths = { ...MODULES, Codecs: '' };
    return [...this.#names]
      .toSorted()
      .map((local) => {
        const module = local === 'Codecs' ? './codecs.js' : kit.runtime(paths[local]);
        return `import * as ${local} from '${up}${module.slice(2)}';\n`;
      })
      .join('');
  }
}

/** The local name of a codec. */
export function useCodec({ use }: OperationScope): (name: OutputName) => string {
  return ({ name, module }) => `${use(module === './codecs.js' ? 'Codecs' : 'codecs')}.${name}`;
}
