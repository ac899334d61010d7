import type {
  FunctionDeclarationOverloadStructure,
  FunctionDeclarationStructure,
  ImportDeclarationStructure,
} from 'ts-morph';

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
  const functions = file.operations.map((view): FunctionDeclarationStructure => {
    const { name, types, doc, data, request, codecs, context } = view;
    const plain = printSignature(view, file.contextType);
    return {
      kind: StructureKind.Function,
      name,
      isExported: true,
      ...(view.isDownload
        ? { overloads: printOverloads(view, file.contextType) }
        : { docs: [{ description: `\n${doc}` }] }),
      ...plain,
      returnType: view.isDownload ? 'Promise<never>' : `Promise<Types.${types.response}>`,
      statements: [
        `return ${localSend(file, codecs)}(${context}, {\n  ${data.join(',\n  ')},\n}, { ${request}, options }${codecs === undefined ? '' : `, ${codecs}`});`,
      ],
    };
  });
  return printSourceFile(file.path, [...printImports(file, StructureKind.ImportDeclaration), ...functions]);
}

function printSignature({ types, isOptional }: OperationView, contextType: string): Signature {
  return {
    parameters: [
      { name: 'context', type: `Types.${contextType}` },
      { name: 'request', type: `Types.${types.request}`, hasQuestionToken: isOptional },
      { name: 'options', type: 'CallOptions', hasQuestionToken: true },
    ],
    returnType: `Promise<Types.${types.response}>`,
  };
}

type Signature = Required<Pick<FunctionDeclarationOverloadStructure, 'parameters' | 'returnType'>>;

/** With the option `as`, a file has another type. The plain signature is the last one, which methods of the client have. */
function printOverloads(
  view: OperationView,
  contextType: string,
): Omit<FunctionDeclarationOverloadStructure, 'kind'>[] {
  const { types, isOptional, doc } = view;
  const request = `Types.${types.request}${isOptional ? ' | undefined' : ''}`;
  const docs = [{ description: `\n${doc}` }];
  return [
    {
      docs,
      isExported: true,
      typeParameters: ['Kind extends keyof Download'],
      parameters: [
        { name: 'context', type: `Types.${contextType}` },
        { name: 'request', type: request },
        { name: 'options', type: 'CallOptions & { readonly as: Kind }' },
      ],
      returnType: `Promise<Downloaded<Types.${types.response}, Kind>>`,
    },
    { docs, isExported: true, ...printSignature(view, contextType) },
  ];
}

function localSend({ imports }: OperationsFile, codecs: string | undefined): string {
  const wanted = codecs === undefined ? 'send' : 'sendTyped';
  return imports.find(({ name }) => name === wanted)?.local ?? wanted;
}

function printImports(file: OperationsFile, kind: ImportDeclarationStructure['kind']): ImportDeclarationStructure[] {
  const contextTypes = [
    'CallOptions',
    ...(file.operations.some(({ isDownload }) => isDownload) ? ['Download', 'Downloaded'] : []),
  ];
  const modules = [...new Set(file.imports.map(({ module }) => module))];
  return [
    {
      kind,
      isTypeOnly: true,
      moduleSpecifier: `${file.root}runtime/context.js`,
      namedImports: contextTypes,
    },
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
