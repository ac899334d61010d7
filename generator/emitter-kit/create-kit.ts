import type { SourceFile } from 'ts-morph';

import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import { createDiagnostic } from '../../model/diagnostics/create-diagnostic.js';
import type { EmitOptions, GeneratedFile } from '../emitter.js';
import type { Helpers } from '../helpers/read-helpers.js';
import { runtimeFiles } from '../runtime-files.js';
import { UNCHECKED, isLarge } from '../split-output.js';
import { emitCodecs } from '../client/emit-codecs.js';
import { createSourceFile } from '../ts-morph-files.js';
import { CheckFile } from './check-file.js';
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
  const files = new Map<string, OpenFile>();
  const checks = new Map<string, CheckFile>();
  const modules = new Set<string>();
  const own = emitterNames(names, options.apiName);
  const { apiName, emitters, types = JSON_TYPES } = options;
  const print = createPrinters(api, options, own);
  // The client has the codecs otherwise.
  let usesCodecs = false;
  const kit: EmitterKit = {
    ...{ apiName, emitters, types, options: given, names: own },
    print: {
      ...print,
      codecs(operation, use) {
        const code = print.codecs(operation, use);
        usesCodecs ||= code.request !== undefined || Object.keys({ ...code.responses, ...code.items }).length > 0;
        return code;
      },
    },
    helpers: parsedHelpers(helpers, api),
    samples: createSamples(api, options),
    file(path, { text = '', format = true, unchecked = false } = {}) {
      return getOrInsert(files, path, () => {
        const isLate = typeof text === 'function';
        const created = createSourceFile(`/${(fileCount += 1)}/${path}`, isLate ? '' : text);
        return { file: created, format, unchecked, ...(isLate ? { late: text } : {}) };
      }).file;
    },
    runtime(module) {
      modules.add(module);
      return `./runtime/${module}.js`;
    },
    checks: (path) => getOrInsert(checks, path, () => new CheckFile(api, path)),
    report({ message, code = 'emitter-report', severity = 'warning', source }) {
      const place = source ?? { file: api.files[0]?.path ?? '', pointer: '' };
      options.report({ ...createDiagnostic('emitter-report', place, message), code, severity });
    },
  };
  const finish = (): GeneratedFile[] => [
    ...[...files].map(([path, { file, format, unchecked, late }]) => {
      const text = late?.() ?? '';
      return { path, contents: `${unchecked ? UNCHECKED : ''}${printEmitterFile(file, path, format)}${text}` };
    }),
    ...[...checks].flatMap(([path, file]) => printChecks(path, file, isLarge(api))),
    ...(usesCodecs && !emitters.has('client') && !emitters.has('fixtures') ? emitCodecs(api, options) : []),
    ...runtimeFiles(modules),
  ];
  return { kit, finish };
}

interface OpenFile {
  readonly file: SourceFile;
  readonly format: boolean;
  readonly unchecked: boolean;
  readonly late?: () => string;
}

function printChecks(path: string, file: CheckFile, unchecked: boolean): GeneratedFile[] {
  const text = file.print();
  if (text === undefined) return [];
  const modules = runtimeFiles(['checks', 'formats', 'validation']);
  return [{ path, contents: `${unchecked ? UNCHECKED : ''}${text}` }, ...modules];
}

const JSON_TYPES = { dates: 'string', int64: 'number', ids: 'string' } as const;

function parsedHelpers({ methods }: Helpers, api: Api): ParsedHelpers {
  return {
    itemMembers: (operation) => itemMembers(originalOf(operation), api),
    pagination: (operation) => methods.find((one) => one.operation === originalOf(operation) && one.pages)?.pages,
  };
}
