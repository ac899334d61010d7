import type { SourceFile } from 'ts-morph';

import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { EmitOptions, GeneratedFile } from '../emitter.js';
import type { Helpers } from '../helpers/read-helpers.js';
import { runtimeFiles } from '../runtime-files.js';
import { createSourceFile } from '../ts-morph-files.js';
import type { EmitterKit, ParsedHelpers } from './contract.js';
import { originalOf } from './emitter-api.js';
import { type NameTable, emitterNames } from './output-names.js';
import { itemMembers } from './item-members.js';
import { createPrinters } from './printers.js';
import { createSamples } from './samples.js';
import { printEmitterFile } from './source-files.js';

/** What all emitters of a run share. */
export interface KitScope {
  readonly api: Api;
  readonly options: EmitOptions;
  readonly names: NameTable;
  readonly helpers: Helpers;
}

/** The kit of one emitter, and the files that it has asked for. */
export interface OpenKit {
  readonly kit: EmitterKit;
  /** Prints the files. */
  readonly finish: () => readonly GeneratedFile[];
}

/** Gives each file a path of its own: the formatter of ts-morph keeps the text of the last one with the same path. */
let fileCount = 0;

/** @param given - the options of the emitter, checked. */
export function openKit(given: object, { api, options, names, helpers }: KitScope): OpenKit {
  const files = new Map<string, { readonly file: SourceFile; readonly format: boolean }>();
  const modules = new Set<string>();
  const own = emitterNames(names, options.apiName);
  const { apiName, emitters, types = JSON_TYPES } = options;
  const kit: EmitterKit = {
    ...{ apiName, emitters, types, options: given, names: own },
    print: createPrinters(api, options, own),
    helpers: parsedHelpers(helpers, api),
    samples: createSamples(api, options),
    file(path, { text = '', format = true } = {}) {
      return getOrInsert(files, path, () => ({ file: createSourceFile(`/${(fileCount += 1)}/${path}`, text), format }))
        .file;
    },
    runtime(module) {
      modules.add(module);
      return `./runtime/${module}.js`;
    },
    report({ message, severity = 'warning', source }) {
      const place = source ?? { file: api.files[0]?.path ?? '', pointer: '' };
      options.report({ ...createDiagnostic('emitter-report', place, message), severity });
    },
  };
  const finish = (): GeneratedFile[] => [
    ...[...files].map(([path, { file, format }]) => ({ path, contents: printEmitterFile(file, path, format) })),
    ...runtimeFiles(modules),
  ];
  return { kit, finish };
}

const JSON_TYPES = { dates: 'string', int64: 'number', ids: 'string' } as const;

function parsedHelpers({ methods }: Helpers, api: Api): ParsedHelpers {
  return {
    itemMembers: (operation) => itemMembers(originalOf(operation), api),
    pagination: (operation) => methods.find((one) => one.operation === originalOf(operation) && one.pages)?.pages,
  };
}
