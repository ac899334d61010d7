import type { FunctionDeclarationStructure, ImportDeclarationStructure } from 'ts-morph';

import { toCommentText } from '../../model/identifiers.js';
import { loadTsMorph, printSourceFile } from '../client/ts-morph.js';
import type { RuntimeImport } from '../client/runtime-imports.js';
import { printValue } from '../fixtures/print-value.js';
import type { ExpiryView } from './expiry-helper.js';
import { isTypeName } from './helper-modules.js';
import type { HelperFunction } from './helper-scope.js';
import type { Helpers } from './read-helpers.js';

/** `helpers.ts`: the functions that are more than one call. */
export async function printHelpers(helpers: Helpers, contextType: string): Promise<string> {
  const { StructureKind } = await loadTsMorph();
  const kind: ImportDeclarationStructure['kind'] = StructureKind.ImportDeclaration;
  const used = (name: string): boolean => helpers.functions.some((one) => textOf(one).includes(name));
  const imports: ImportDeclarationStructure[] = [
    { kind, isTypeOnly: true, moduleSpecifier: './context.js', namedImports: [contextType] },
    ...(used('operations.') ? [{ kind, moduleSpecifier: './operations.js', namespaceImport: 'operations' }] : []),
    ...printRuntimeImports(helpers.imports, kind),
    ...(used(`${helpers.namespace}.`)
      ? [{ kind, isTypeOnly: true, moduleSpecifier: './types.js', namespaceImport: helpers.namespace }]
      : []),
    ...printSchemaImports(helpers.schemaTypes, kind),
  ];
  const functions = helpers.functions.map((helper): FunctionDeclarationStructure => ({
    kind: StructureKind.Function,
    name: helper.name,
    isExported: true,
    docs: [{ description: `\n${toCommentText(`${upperFirst(helper.summary)}.\n\n${helper.doc}`)}` }],
    parameters: [
      { name: 'context', type: contextType },
      ...helper.parameters.map(({ name, type, isOptional = false }) => ({ name, type, hasQuestionToken: isOptional })),
    ],
    returnType: helper.returnType,
    statements: [`return ${helper.code};`],
  }));
  return printSourceFile('helpers.ts', [...imports, ...functions]);
}

function textOf({ parameters, returnType, code }: HelperFunction): string {
  return [code, returnType, ...parameters.map(({ type }) => type)].join('\n');
}

function printRuntimeImports(
  imports: readonly RuntimeImport[],
  kind: ImportDeclarationStructure['kind'],
): ImportDeclarationStructure[] {
  return [...new Set(imports.map(({ module }) => module))].map((module) => {
    const names = imports.filter((one) => one.module === module);
    // Without the word `type` in front, nothing but types would still load the module.
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

function printSchemaImports(
  names: readonly string[],
  kind: ImportDeclarationStructure['kind'],
): ImportDeclarationStructure[] {
  return names.length === 0
    ? []
    : [{ kind, isTypeOnly: true, moduleSpecifier: './types.js', namedImports: [...names] }];
}

/** `expiry.ts`: when values expire. */
export function printExpiries({ views, schemaTypes }: Helpers['expiries']): string {
  const imports = [
    `import { isPast, readExpiry } from './runtime/expiry.js';\n`,
    `import type { ${schemaTypes.join(', ')} } from './types.js';\n`,
  ];
  return [...imports, ...views.map(printExpiry)].join('\n').replace('\n\nimport type', '\nimport type');
}

function printExpiry({ getName, testName, what, type, rule }: ExpiryView): string {
  const text = toCommentText(what);
  return `/** When ${text} expires; \`undefined\` where it does not, or does not say so. */
export function ${getName}(value: ${type}): Date | undefined {
  return readExpiry(value, ${rule});
}

/** Whether ${text} has expired. */
export function ${testName}(value: ${type}, now?: Date | number): boolean {
  return isPast(${getName}(value), now);
}
`;
}

/** `limits.ts`: waiting where there were too many calls. */
export function printLimits({ name, plan }: NonNullable<Helpers['limits']>, contextType: string): string {
  return `import type { ${contextType} } from './context.js';
import { type RetryOptions, waitForLimits } from './runtime/rate-limit.js';

/**
 * A context whose calls wait where the service says that there were too many, and are repeated then: what the client's
 * option \`retry\` does, for functions without a client.
 */
export function ${name}(context: ${contextType}, options?: RetryOptions): ${contextType} {
  return waitForLimits(context, ${printValue(plan, '  ')}, options);
}
`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
