import type { SourceFile } from 'ts-morph';

import type { Api } from '../../model/api.js';
import { escapeTags, toCommentText, toPropertyKey } from '../../model/identifiers.js';
import type { EmitOptions } from '../emitter.js';
import { printValue } from '../fixtures/print-value.js';
import { printDocComment } from '../types/doc-comment.js';
import { printType } from '../types/print-type.js';
import { jsonTypes } from '../types/value-types.js';
import type { OutputNames, Printers } from './contract.js';

/** The printers of an emitter. */
export function createPrinters(api: Api, options: EmitOptions, names: OutputNames): Printers {
  return {
    type(schema, direction, file) {
      const { types } = direction === 'json' ? jsonTypes(options) : options;
      const used = new Set<string>();
      const text = printType(schema, {
        ...{ api, types, used, indent: '' },
        direction: direction === 'input' ? 'input' : 'output',
      });
      if (file !== undefined) importTypes(file, used, { api, names });
      return text;
    },
    text: (text) => escapeTags(toCommentText(text)).trim(),
    comment: (...texts) => printDocComment(texts, ''),
    literal: (value) => printValue(value, ''),
    key: toPropertyKey,
  };
}

/** Imports the types that a printed type refers to: those of schemas and request variants, and ids, from their files. */
function importTypes(
  file: SourceFile,
  used: ReadonlySet<string>,
  { api, names }: { readonly api: Api; readonly names: OutputNames },
): void {
  const owners = new Map([...api.schemas.values()].map(({ name, inputName }) => [inputName ?? name, name]));
  for (const name of used) {
    const owner = api.schemas.has(name) ? name : owners.get(name);
    const module = owner === undefined ? './types.js' : names.schema(owner).type.module;
    names.import(file, { name, module }, { type: true });
  }
}
