import type { FunctionDeclarationStructure, ImportDeclarationStructure } from 'ts-morph';

import { toCommentText } from '../../model/identifiers.js';
import { loadTsMorph, printSourceFile } from '../client/ts-morph.js';
import type { RuntimeImport } from '../client/runtime-imports.js';
import { printValue } from '../fixtures/print-value.js';
import type { ExpiryView } from './expiry-helper.js';
import { isTypeName } from './helper-modules.js';
import type { HabitFunction } from './helper-scope.js';
import type { Habits } from './read-helpers.js';

/** `habits.ts`: the functions that are more than one call. */
export async function printHabits(habits: Habits, contextType: string): Promise<string> {
  const { StructureKind } = await loadTsMorph();
  const kind: ImportDeclarationStructure['kind'] = StructureKind.ImportDeclaration;
  const used = (name: string): boolean => habits.functions.some((one) => textOf(one).includes(name));
  const imports: ImportDeclarationStructure[] = [
    { kind, isTypeOnly: true, moduleSpecifier: './context.js', namedImports: [contextType] },
    ...(used('operations.') ? [{ kind, moduleSpecifier: './operations.js', namespaceImport: 'operations' }] : []),
    ...printRuntimeImports(habits.imports, kind),
    ...(used(`${habits.namespace}.`)
      ? [{ kind, isTypeOnly: true, moduleSpecifier: './types.js', namespaceImport: habits.namespace }]
      : []),
    ...printSchemaImports(habits.schemaTypes, kind),
  ];
  const functions = habits.functions.map((habit): FunctionDeclarationStructure => ({
    kind: StructureKind.Function,
    name: habit.name,
    isExported: true,
    docs: [{ description: `\n${toCommentText(`${upperFirst(habit.summary)}.\n\n${habit.doc}`)}` }],
    parameters: [
      { name: 'context', type: contextType },
      ...habit.parameters.map(({ name, type, isOptional = false }) => ({ name, type, hasQuestionToken: isOptional })),
    ],
    returnType: habit.returnType,
    statements: [`return ${habit.code};`],
  }));
  return printSourceFile('habits.ts', [...imports, ...functions]);
}

function textOf({ parameters, returnType, code }: HabitFunction): string {
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
export function printExpiries({ views, schemaTypes }: Habits['expiries']): string {
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
export function printLimits({ name, plan }: NonNullable<Habits['limits']>, contextType: string): string {
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
