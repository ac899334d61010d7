import type { GeneratedFile } from '../emitter.js';
import { renderFile } from '../templates.js';
import type { OperationView } from './operation-view.js';
import { type RuntimeImport, printImported } from './runtime-imports.js';

/** A file of operation functions, ready to be printed. */
export interface OperationsFile {
  /** Path in the output. */
  readonly path: string;
  /** Relative path from the file to the output folder: `./` or `../`. */
  readonly root: string;
  readonly contextType: string;
  readonly imports: readonly RuntimeImport[];
  readonly operations: readonly OperationView[];
  /** Whether named codecs are used. */
  readonly usesCodecs: boolean;
}

export function printOperations(file: OperationsFile): GeneratedFile {
  const { contextType } = file;
  const functions = file.operations.map((view) => viewFunction(view, file));
  return renderFile(file.path, 'operations', { imports: viewImports(file), contextType, functions });
}

/**
 * A download has two overloads, because the option `as` changes the type of the file. The plain one is last, because
 * methods of the client take their type from it.
 */
function viewFunction(view: OperationView, file: OperationsFile): object {
  const { types, isOptional, codecs } = view;
  const request = `Types.${types.request}`;
  return {
    ...view,
    doc: `/**\n${view.doc
      .split('\n')
      .map((line) => (line === '' ? ' *' : ` * ${line}`))
      .join('\n')}\n */`,
    data: view.data.map(indentLines),
    requestType: `${request}${isOptional ? ' | undefined' : ''}`,
    responseType: `Types.${types.response}`,
    parameters: `(context: Types.${file.contextType}, request${isOptional ? '?' : ''}: ${request}, options?: CallOptions)`,
    send: localSend(file, codecs),
    codecs: codecs === undefined ? '' : `, ${indentLines(codecs)}`,
  };
}

/** Indents code. Literals contain no line breaks. */
function indentLines(code: string): string {
  return code.replaceAll('\n', '\n  ');
}

function localSend({ imports }: OperationsFile, codecs: string | undefined): string {
  const wanted = codecs === undefined ? 'send' : 'sendTyped';
  return imports.find(({ name }) => name === wanted)?.local ?? wanted;
}

function viewImports({ root, imports, operations, usesCodecs }: OperationsFile): string[] {
  const hasDownload = operations.some(({ isDownload }) => isDownload);
  const modules = [...new Set(imports.map(({ module }) => module))];
  return [
    `type { CallOptions${hasDownload ? ', Download, Downloaded' : ''} } from '${root}runtime/context.js'`,
    ...modules.map((module) => {
      const names = imports.filter((one) => one.module === module).map(({ name, local }) => printImported(name, local));
      return `{ ${names.join(', ')} } from '${root}runtime/${module}.js'`;
    }),
    // Function names start with a lower-case letter, so none is `Codecs` or `Types`.
    ...(usesCodecs ? [`* as Codecs from '${root}codecs.js'`] : []),
    `type * as Types from '${root}types.js'`,
  ];
}
