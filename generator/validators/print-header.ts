import { toStringLiteral } from '../../model/identifiers.js';
import { checkName } from './check-printer.js';
import type { FileScope } from './file-scope.js';

export interface HeaderView {
  readonly scope: FileScope;
  /** The types that the file names. */
  readonly types: readonly string[];
  /** The way to the folder of the output. */
  readonly root: string;
  /** The way to the folder of the validators. */
  readonly folder: string;
  /** The file name of the file itself, if it is that of a schema. */
  readonly own?: string;
}

/**
 * What stands above the checks: their code is JavaScript that ajv has written, so it is not type-checked; what is
 * exported has explicit types all the same.
 */
export function printHeader({ scope, types, root, folder, own }: HeaderView, fileOf: (view: string) => string): string {
  const lines = ['// @ts-nocheck'];
  if (types.length > 0) lines.push(`import type { ${types.join(', ')} } from '${root}types.js';`);
  lines.push(`import * as rt from '${root}runtime/checks.js';`);
  if (scope.usesFormats) lines.push(`import * as fmt from '${root}runtime/formats.js';`);
  const byFile = new Map<string, string[]>();
  for (const view of scope.calls) {
    const file = fileOf(view);
    if (file !== own) byFile.set(file, [...(byFile.get(file) ?? []), checkName(view)]);
  }
  for (const [file, checks] of [...byFile].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    lines.push(`import { ${checks.toSorted().join(', ')} } from ${toStringLiteral(`${folder}${file}.js`)};`);
  }
  return `${lines.join('\n')}\n`;
}
