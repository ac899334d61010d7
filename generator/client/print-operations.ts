import type { FunctionDeclarationStructure, ImportDeclarationStructure } from 'ts-morph';

import type { OperationView } from './operation-view.js';
import type { RuntimeImport } from './runtime-imports.js';
import { loadTsMorph, printSourceFile } from './ts-morph.js';

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

/** Prints the functions of some operations. */
export async function printOperations(file: OperationsFile): Promise<string> {
  const { StructureKind } = await loadTsMorph();
  const functions = file.operations.map(
    ({ name, types, isOptional, doc, data, request, codecs }): FunctionDeclarationStructure => ({
      kind: StructureKind.Function,
      name,
      isExported: true,
      docs: [{ description: `\n${doc}` }],
      parameters: [
        { name: 'context', type: `Types.${file.contextType}` },
        { name: 'request', type: `Types.${types.request}`, hasQuestionToken: isOptional },
        { name: 'options', type: 'CallOptions', hasQuestionToken: true },
      ],
      returnType: `Promise<Types.${types.response}>`,
      statements: [
        `return ${localSend(file, codecs)}(context, {\n  ${data.join(',\n  ')},\n}, { ${request}, options }${codecs === undefined ? '' : `, ${codecs}`});`,
      ],
    }),
  );
  return printSourceFile(file.path, [...printImports(file, StructureKind.ImportDeclaration), ...functions]);
}

function localSend({ imports }: OperationsFile, codecs: string | undefined): string {
  const wanted = codecs === undefined ? 'send' : 'sendTyped';
  return imports.find(({ name }) => name === wanted)?.local ?? wanted;
}

function printImports(file: OperationsFile, kind: ImportDeclarationStructure['kind']): ImportDeclarationStructure[] {
  const modules = [...new Set(file.imports.map(({ module }) => module))];
  return [
    { kind, isTypeOnly: true, moduleSpecifier: `${file.root}runtime/context.js`, namedImports: ['CallOptions'] },
    ...modules.map((module): ImportDeclarationStructure => ({
      kind,
      moduleSpecifier: `${file.root}runtime/${module}.js`,
      namedImports: file.imports
        .filter((one) => one.module === module)
        .map(({ name, local }) => (name === local ? name : { name, alias: local })),
    })),
    // Function names start with a small letter, so none is `Codecs` or `Types`.
    ...(file.usesCodecs ? [{ kind, moduleSpecifier: `${file.root}codecs.js`, namespaceImport: 'Codecs' }] : []),
    { kind, isTypeOnly: true, moduleSpecifier: `${file.root}types.js`, namespaceImport: 'Types' },
  ];
}
