import type * as TsMorph from 'ts-morph';

import { toCommentText } from '../../model/identifiers.js';
import { isTypeName, type RuntimeImport } from '../client/runtime-imports.js';
import { createSourceFile, loadTsMorph, takeText } from '../ts-morph-files.js';
import type { GeneratedFile } from '../emitter.js';
import type { HelperFunction } from './helper-scope.js';
import type { Helpers } from './read-helpers.js';

/** Emits `helpers.ts`, if the spec declares any helper. */
export function emitHelpers(helpers: Helpers): GeneratedFile[] {
  return helpers.functions.length === 0 ? [] : [{ path: 'helpers.ts', contents: () => printHelpers(helpers) }];
}

/** Prints functions that make more than one call, tests of expiry times, and waiting at rate limits. */
function printHelpers({ functions, scope, hasWebhooks }: Helpers): string {
  const { StructureKind } = loadTsMorph();
  const kind: TsMorph.ImportDeclarationStructure['kind'] = StructureKind.ImportDeclaration;
  const { imports, schemaTypes, namespace, codecNamespace, contextParameter } = scope;
  const uses = (text: string): boolean => functions.some((one) => textOf(one).includes(text));
  const named = [...(uses(contextParameter.type) ? [contextParameter.type] : []), ...schemaTypes].toSorted();
  const types = { kind, isTypeOnly: true, moduleSpecifier: './types.js' };
  const structures: TsMorph.ImportDeclarationStructure[] = [
    ...(uses('operations.') ? [{ kind, moduleSpecifier: './operations.js', namespaceImport: 'operations' }] : []),
    ...printRuntimeImports(imports.all, kind),
    ...(uses(`${codecNamespace}.`) ? [{ kind, moduleSpecifier: './codecs.js', namespaceImport: codecNamespace }] : []),
    ...(uses(`${namespace}.`) ? [{ ...types, namespaceImport: namespace }] : []),
    ...(named.length > 0 ? [{ ...types, namedImports: named }] : []),
  ];
  const declarations = functions.map((one): TsMorph.FunctionDeclarationStructure => {
    const { name, doc, typeParameters, parameters, returnType, code } = one;
    return {
      kind: StructureKind.Function,
      name,
      isExported: true,
      docs: [{ description: `\n${toCommentText(doc)}` }],
      ...(typeParameters === undefined ? {} : { typeParameters: [...typeParameters] }),
      parameters: parameters.map(({ isOptional = false, ...rest }) => ({ ...rest, hasQuestionToken: isOptional })),
      returnType,
      statements: [`return ${code};`],
    };
  });
  // In one go: adding statements one by one takes minutes, formatting afterwards doubles the time.
  const text = takeText(createSourceFile('helpers.ts', [...structures, ...declarations]));
  return hasWebhooks ? `${text}\nexport { WebhookError } from './runtime/helpers.js';\n` : text;
}

function textOf({ parameters, returnType, code }: HelperFunction): string {
  return [code, returnType, ...parameters.map(({ type }) => type)].join('\n');
}

function printRuntimeImports(
  imports: readonly RuntimeImport[],
  kind: TsMorph.ImportDeclarationStructure['kind'],
): TsMorph.ImportDeclarationStructure[] {
  return [...new Set(imports.map(({ module }) => module))].map((module) => {
    const names = imports.filter((one) => one.module === module);
    // Without `type` in front, an import of only types would still load the module.
    const isTypeOnly = names.every(({ name }) => isTypeName(name));
    return {
      kind,
      isTypeOnly,
      moduleSpecifier: `./runtime/${module}.js`,
      namedImports: names.map(({ name, local }) => ({
        name,
        isTypeOnly: !isTypeOnly && isTypeName(name),
        ...(name === local ? {} : { alias: local }),
      })),
    };
  });
}
