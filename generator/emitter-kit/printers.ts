import type { SourceFile } from 'ts-morph';

import type { ValueTypes } from '../../config/config-types.js';
import type { Api, Operation } from '../../model/api.js';
import { escapeTags, toCommentText, toLiteral, toPropertyKey } from '../../model/identifiers.js';
import { compilePattern } from '../../schema/compile-pattern.js';
import { FORMATS } from '../../schema/known-formats.js';
import { canBacktrackForever } from '../../schema/sample/pattern.js';
import type { EmitOptions } from '../emitter.js';
import { printRequestCodec, printResponseCodecs, printItemCodecs } from '../client/call-codecs.js';
import type { CodecPrinter } from '../client/print-codecs.js';
import { runtimeModuleOf } from '../client/runtime-imports.js';
import { printValue } from '../fixtures/print-value.js';
import { printDocComment } from '../types/doc-comment.js';
import { printType } from '../types/print-type.js';
import { convertsValues, jsonTypes } from '../types/value-types.js';
import type { CodecCode, OutputName, OutputNames, Printers } from './contract.js';
import { originalOf } from './emitter-api.js';

/** The printers of an emitter. */
export function createPrinters(api: Api, options: EmitOptions, names: OutputNames): Printers {
  const owners = new Map([...api.schemas.values()].map(({ name, inputName }) => [inputName ?? name, name]));
  return {
    type(schema, direction, file) {
      const isJson = direction === 'json' || direction === 'json-input';
      const { types } = isJson ? jsonTypes(options) : options;
      const used = new Set<string>();
      const text = printType(schema, {
        ...{ api, types, used, indent: '' },
        direction: direction === 'input' || direction === 'json-input' ? 'input' : 'output',
      });
      const json = isJson && convertsValues(options.types) ? './json.js' : undefined;
      if (file !== undefined) importTypes(file, used, { api, names, owners, json });
      return text;
    },
    text: (text) => escapeTags(toCommentText(text)).trim(),
    comment: (...texts) => printDocComment(texts, ''),
    literal: (value) => printValue(value, ''),
    pattern(text) {
      const compiled = compilePattern(text);
      if (compiled === undefined || canBacktrackForever(text)) return undefined;
      const { source, flags } = compiled.regexp;
      return `new RegExp(${toLiteral(source)}${flags === '' ? '' : `, '${flags}'`})`;
    },
    format: (format, type) => (api.formats === 'annotate' ? undefined : FORMATS.get(format)?.[type]?.name),
    key: toPropertyKey,
    codecs: (operation, use) => printCodecs(originalOf(operation), { api, options, use }),
  };
}

interface CodecScope {
  readonly api: Api;
  readonly options: EmitOptions;
  readonly use: (name: OutputName) => string;
}

function codecPrinter({ api, options: { types }, use }: CodecScope): CodecPrinter {
  return {
    ...{ api, types: types as ValueTypes, isRead: true },
    use: (name) => use({ name, module: `./runtime/${runtimeModuleOf(name)}.js` }),
    named: (name) => use({ name, module: './codecs.js' }),
    mark: '/* @__PURE__ */ ',
  };
}

function printCodecs(operation: Operation, scope: CodecScope): CodecCode {
  const { types } = scope.options;
  if (!convertsValues(types)) return { responses: {}, items: {}, isExact: false };
  const printer = codecPrinter(scope);
  const request = printRequestCodec(operation, printer);
  return {
    ...(request === undefined ? {} : { request }),
    responses: Object.fromEntries(printResponseCodecs(operation, printer)),
    items: Object.fromEntries(printItemCodecs(operation, printer)),
    isExact: types.int64 !== 'number',
  };
}

/** Imports the types that a printed type refers to: those of schemas and request variants, and ids, from their files. */
function importTypes(file: SourceFile, used: ReadonlySet<string>, { api, names, owners, json }: TypePlaces): void {
  for (const name of used) {
    const owner = api.schemas.has(name) ? name : owners.get(name);
    const module = json ?? (owner === undefined ? './types.js' : names.schema(owner).type.module);
    names.import(file, { name, module }, { type: true });
  }
}

interface TypePlaces {
  readonly api: Api;
  readonly names: OutputNames;
  /** Schemas by the name of their request variant. */
  readonly owners: ReadonlyMap<string, string>;
  /** The module of JSON types, if they differ and are printed. */
  readonly json: string | undefined;
}
