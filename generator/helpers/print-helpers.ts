import { toCommentText } from '../../model/identifiers.js';
import { isTypeName, printImported, type RuntimeImport } from '../client/runtime-imports.js';
import type { GeneratedFile } from '../emitter.js';
import type { HelperFunction, HelperParameter } from './helper-scope.js';
import type { Helpers } from './read-helpers.js';

/** Emits `helpers.ts`, if the spec declares any helper. */
export function emitHelpers(helpers: Helpers): GeneratedFile[] {
  return helpers.functions.length === 0 ? [] : [{ path: 'helpers.ts', contents: () => printHelpers(helpers) }];
}

/** Prints functions that make more than one call, tests of expiry times, and waiting at rate limits. */
function printHelpers({ functions, scope, hasWebhooks }: Helpers): string {
  const { imports, schemaTypes, namespace, codecNamespace, contextParameter } = scope;
  const uses = (text: string): boolean => functions.some((one) => textOf(one).includes(text));
  const named = [...(uses(contextParameter.type) ? [contextParameter.type] : []), ...schemaTypes].toSorted();
  const lines = [
    ...(uses('operations.') ? ["import * as operations from './operations.js';\n"] : []),
    ...printRuntimeImports(imports.all),
    ...(uses(`${codecNamespace}.`) ? [`import * as ${codecNamespace} from './codecs.js';\n`] : []),
    ...(uses(`${namespace}.`) ? [`import type * as ${namespace} from './types.js';\n`] : []),
    ...(named.length > 0 ? [`import type { ${named.join(', ')} } from './types.js';\n`] : []),
  ];
  const last = hasWebhooks ? ["export { WebhookError } from './runtime/helpers.js';\n"] : [];
  return [lines.join(''), ...functions.map(printFunction), ...last].filter((part) => part !== '').join('\n');
}

function textOf({ parameters, returnType, code }: HelperFunction): string {
  return [code, returnType, ...parameters.map(({ type }) => type)].join('\n');
}

function printFunction({ name, doc, typeParameters = [], parameters, returnType, code }: HelperFunction): string {
  const comment = toCommentText(doc)
    .replaceAll(/^(?=.)/gm, ' ')
    .replaceAll(/^/gm, ' *');
  const generic = typeParameters.length === 0 ? '' : `<${typeParameters.join(', ')}>`;
  const signature = `${name}${generic}(${parameters.map(printParameter).join(', ')}): ${indent(returnType)}`;
  return `/**\n${comment}\n */\nexport function ${signature} {\n  return ${indent(code)};\n}\n`;
}

function printParameter({ name, type, isOptional = false }: HelperParameter): string {
  return `${name}${isOptional ? '?' : ''}: ${indent(type)}`;
}

/** Indents the lines after the first. */
function indent(text: string): string {
  return text.replaceAll(/\n(?=.)/g, '\n  ');
}

function printRuntimeImports(imports: readonly RuntimeImport[]): string[] {
  return [...new Set(imports.map(({ module }) => module))].map((module) => {
    const names = imports.filter((one) => one.module === module);
    // Without `type` in front, an import of only types would still load the module.
    const isTypeOnly = names.every(({ name }) => isTypeName(name));
    const printed = names.map(
      ({ name, local }) => `${!isTypeOnly && isTypeName(name) ? 'type ' : ''}${printImported(name, local)}`,
    );
    return `import ${isTypeOnly ? 'type ' : ''}{ ${printed.join(', ')} } from './runtime/${module}.js';\n`;
  });
}
