import type { FunctionDeclarationStructure, ImportDeclarationStructure } from 'ts-morph';

import { toCommentText, upperFirst } from '../../model/identifiers.js';
import { loadTsMorph, printSourceFile } from './ts-morph.js';
import type { RuntimeImport } from '../client/runtime-imports.js';
import type { ExpiryView } from './expiry-helper.js';
import { isTypeName } from './helper-modules.js';
import type { HelperFunction } from './helper-scope.js';
import type { LimitView } from './limit-helper.js';
import type { Helpers } from './read-helpers.js';
import type { WebhookView } from './webhook-helper.js';

/** Prints `helpers.ts`: functions that make more than one call, tests of expiry times, and waiting at rate limits. */
export function printHelpers(
  helpers: Helpers,
  { contextType, validates }: { readonly contextType: string; readonly validates: boolean },
): string {
  const { StructureKind } = loadTsMorph();
  const kind: ImportDeclarationStructure['kind'] = StructureKind.ImportDeclaration;
  const functions = [
    ...helpers.functions.map((helper) => viewCall(helper, contextType)),
    ...(helpers.limits === undefined ? [] : [viewLimits(helpers.limits, contextType)]),
    ...helpers.expiries.flatMap(viewExpiry),
    ...(helpers.webhooks === undefined ? [] : [viewWebhooks(helpers.webhooks, validates)]),
  ];
  const uses = (text: string): boolean => functions.some((one) => textOf(one).includes(text));
  const named = [...(uses(contextType) ? [contextType] : []), ...helpers.schemaTypes].toSorted();
  const imports: ImportDeclarationStructure[] = [
    ...(uses('operations.') ? [{ kind, moduleSpecifier: './operations.js', namespaceImport: 'operations' }] : []),
    ...printRuntimeImports(helpers.imports, kind),
    ...(uses(`${helpers.codecNamespace}.`)
      ? [{ kind, moduleSpecifier: './codecs.js', namespaceImport: helpers.codecNamespace }]
      : []),
    ...(uses(`${helpers.namespace}.`)
      ? [{ kind, isTypeOnly: true, moduleSpecifier: './types.js', namespaceImport: helpers.namespace }]
      : []),
    ...(named.length > 0 ? [{ kind, isTypeOnly: true, moduleSpecifier: './types.js', namedImports: named }] : []),
  ];
  const structures = functions.map(
    ({ name, doc, typeParameters, parameters, returnType, code }): FunctionDeclarationStructure => ({
      kind: StructureKind.Function,
      name,
      isExported: true,
      docs: [{ description: `\n${toCommentText(doc)}` }],
      ...(typeParameters === undefined ? {} : { typeParameters: [...typeParameters] }),
      parameters: parameters.map((one) => ({
        name: one.name,
        type: one.type,
        hasQuestionToken: one.isOptional === true,
      })),
      returnType,
      statements: [`return ${code};`],
    }),
  );
  const text = printSourceFile('helpers.ts', [...imports, ...structures]);
  return helpers.webhooks === undefined ? text : `${text}\nexport { WebhookError } from './runtime/helpers.js';\n`;
}

type PrintedFunction = Omit<HelperFunction, 'summary'> & { readonly typeParameters?: readonly string[] };

function textOf({ parameters, returnType, code }: PrintedFunction): string {
  return [code, returnType, ...parameters.map(({ type }) => type)].join('\n');
}

function viewCall({ summary, doc, parameters, ...helper }: HelperFunction, contextType: string): PrintedFunction {
  const context = { name: 'context', type: contextType };
  return { ...helper, doc: `${upperFirst(summary)}.\n\n${doc}`, parameters: [context, ...parameters] };
}

function viewWebhooks({ name, optionsType, mapType, code }: WebhookView, validates: boolean): PrintedFunction {
  return {
    name,
    doc: 'Reads an incoming webhook: checks its signature, parses and validates it.\n\n@throws WebhookError if it is not signed with the secret, cannot be parsed or is invalid; TypeError without a secret, if the API description has a signature.',
    typeParameters: [`Name extends keyof ${mapType}`],
    parameters: [
      { name: 'name', type: 'Name' },
      { name: 'request', type: 'Request' },
      { name: 'options', type: optionsType, isOptional: true },
    ],
    returnType: `Promise<${mapType}[Name]>`,
    code: code(validates),
  };
}

function viewLimits({ name, optionsType, code }: LimitView, contextType: string): PrintedFunction {
  return {
    name,
    doc: 'Returns a context whose calls wait after a refusal because of a rate limit and are then retried. The option `retry` of the client does this for all its methods.',
    parameters: [
      { name: 'context', type: contextType },
      { name: 'options', type: optionsType, isOptional: true },
    ],
    returnType: contextType,
    code,
  };
}

function viewExpiry({ getName, testName, what, type, getCode, testCode }: ExpiryView): PrintedFunction[] {
  const value = { name: 'value', type };
  return [
    {
      name: getName,
      doc: `When ${what} expires; \`undefined\` if it has no expiry time.`,
      parameters: [value],
      returnType: 'Date | undefined',
      code: getCode,
    },
    {
      name: testName,
      doc: `Whether ${what} has expired.`,
      parameters: [value, { name: 'now', type: 'Date | number', isOptional: true }],
      returnType: 'boolean',
      code: testCode,
    },
  ];
}

function printRuntimeImports(
  imports: readonly RuntimeImport[],
  kind: ImportDeclarationStructure['kind'],
): ImportDeclarationStructure[] {
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
