import { posix } from 'node:path';

import type * as TsMorph from 'ts-morph';

import { getOrInsert } from '../../model/maps.js';
import { NameAllocator } from '../../model/identifiers.js';
import { loadTsMorph, takeText } from '../ts-morph-files.js';
import type { OutputName } from './contract.js';

interface Imported {
  readonly name: string;
  readonly local: string;
  isType: boolean;
}

interface FileImports {
  readonly locals: NameAllocator;
  /** By module and name. */
  readonly names: Map<string, Map<string, Imported>>;
}

const imports = new WeakMap<TsMorph.SourceFile, FileImports>();

/** Notes an import of a file from another one of the output, and returns the local name. */
export function addImport(file: TsMorph.SourceFile, { name, module }: OutputName, isType: boolean): string {
  const { locals, names } = getOrInsert(imports, file, () => ({ locals: new NameAllocator(), names: new Map() }));
  const ofModule = getOrInsert(names, module, () => new Map<string, Imported>());
  const imported = getOrInsert(ofModule, name, () => ({ name, local: locals.take(name), isType }));
  imported.isType &&= isType;
  return imported.local;
}

/**
 * Prints a file of an emitter: adds the noted imports, and writes imports of other files as all generated files do.
 *
 * @param path - from the root of the output.
 */
export function printEmitterFile(file: TsMorph.SourceFile, path: string, format: boolean): string {
  if (imports.has(file)) file.insertImportDeclarations(0, printImports(file, path));
  for (const declaration of [...file.getImportDeclarations(), ...file.getExportDeclarations()]) {
    const module = declaration.getModuleSpecifierValue();
    if (module?.startsWith('.') !== true) continue;
    const written = /\.\w+$/.test(module) ? module.replace(/\.ts$/, '.js') : `${module}.js`;
    // Output has single quotes around each import of another file.
    if (declaration.getModuleSpecifier()?.getText() !== `'${written}'`) declaration.setModuleSpecifier(written);
  }
  if (format) file.formatText({ indentSize: 2 });
  const constants = findLets(file);
  const text = takeText(file);
  return constants.reduceRight((all, start) => `${all.slice(0, start)}const${all.slice(start + 'let'.length)}`, text);
}

/**
 * The places of `let` in exported variables, which are constants in generated files. ts-morph writes `let` if an author
 * names no kind.
 */
function findLets(file: TsMorph.SourceFile): number[] {
  const { ts } = loadTsMorph();
  const source = file.compilerNode;
  return source.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement) || statement.modifiers?.[0]?.kind !== ts.SyntaxKind.ExportKeyword) return [];
    const { declarationList: list } = statement;
    const isLet =
      (list.flags & ts.NodeFlags.Let) !== 0 && list.declarations.every((one) => one.initializer !== undefined);
    return isLet ? [list.getStart(source)] : [];
  });
}

function printImports(
  file: TsMorph.SourceFile,
  path: string,
): TsMorph.OptionalKind<TsMorph.ImportDeclarationStructure>[] {
  return [...(imports.get(file)?.names ?? [])]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, names]) => {
      const all = [...names.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const isTypeOnly = all.every(({ isType }) => isType);
      return {
        isTypeOnly,
        moduleSpecifier: relativeModule(module, path),
        namedImports: all.map(({ name, local, isType }) => ({
          name,
          isTypeOnly: !isTypeOnly && isType,
          ...(name === local ? {} : { alias: local }),
        })),
      };
    });
}

/** A module of the output as a file imports it. */
function relativeModule(module: string, path: string): string {
  const relative = posix.relative(posix.dirname(`/${path}`), posix.join('/', module));
  return relative.startsWith('.') ? relative : `./${relative}`;
}
