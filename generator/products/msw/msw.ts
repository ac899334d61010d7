import type { EmitterDefinition, EmitterKit, EmitterOperation } from '../../emitter-kit/contract.js';
import { defineEmitter } from '../../emitter-kit/define-emitter.js';
import { ModuleUses } from './module-uses.js';
import { type NamedHandler, printAll, printHead } from './print-head.js';
import { printHandler } from './print-handler.js';

/** The options of the emitter. */
export interface MswOptions {
  readonly validate: boolean;
}

/** `msw.ts`: handlers for Mock Service Worker, for browsers and Node. */
export const msw: EmitterDefinition<MswOptions> = defineEmitter({
  name: 'msw',
  version: 1,
  requires: ['types', 'client', 'validators', 'fixtures'],
  peers: { msw: '>=2.10' },
  options: {
    validate: {
      description: 'Whether handlers refuse requests that do not match the spec, with problem details.',
      type: 'boolean',
      default: false,
    },
  },
  emit(api, kit) {
    const operations = api.operations.filter((operation) => kit.names.operation(operation).hasFunction);
    if (operations.length === 0) return;
    const parts = groupByFile(operations, kit);
    const isSplit = !parts.has('msw');
    if (isSplit) kit.file('msw/base.ts', { format: false, text: printHead(kit, true) });
    for (const [file, own] of parts) {
      const uses = new ModuleUses();
      const factory = isSplit ? 'base.handler' : 'handler';
      const printed = own.map((operation) => printHandler(operation, { api, kit, uses }, factory));
      const head = isSplit ? "import * as base from './base.js';\n" : printHead(kit, false);
      const imports = uses.printImports(isSplit ? '../' : './');
      const all = isSplit ? [] : [printAllOf(operations, kit)];
      kit.file(`${file}.ts`, {
        format: false,
        unchecked: isSplit,
        text: [...imports, head, ...printed, ...all].join('\n'),
      });
    }
    if (isSplit) kit.file('msw.ts', { format: false, unchecked: true, text: printBarrel(operations, { parts, kit }) });
  },
});

type Kit = EmitterKit<MswOptions>;

/** The operations by the file of their handlers, which follows that of their functions. */
function groupByFile(operations: readonly EmitterOperation[], { names }: Kit): Map<string, EmitterOperation[]> {
  const parts = new Map<string, EmitterOperation[]>();
  for (const operation of operations) {
    const { module } = names.operation(operation).fn;
    const file = module.replace(/^\.\/operations/, 'msw').replace(/\.js$/, '');
    const part = parts.get(file);
    if (part === undefined) parts.set(file, [operation]);
    else part.push(operation);
  }
  return parts;
}

function printAllOf(operations: readonly EmitterOperation[], kit: Kit): string {
  const named = (operation: EmitterOperation): NamedHandler => ({
    operation: operation.name,
    handler: kit.names.operation(operation).constant('Handler'),
  });
  const ordered = operations.toSorted((one, other) => compareKeys(orderKey(one), orderKey(other)));
  return printAll(kit, operations.map(named), ordered.map(named));
}

/** Longer paths come first, and texts before parameters: `*` in the address matches the beginning of a longer path. */
function orderKey({ path }: EmitterOperation): readonly number[] {
  const segments = path.split('/');
  return [-segments.length, ...segments.map((one) => (/^\{[^{}]*\}$/.test(one) ? 2 : one.includes('{') ? 1 : 0))];
}

function compareKeys(one: readonly number[], other: readonly number[]): number {
  for (const [index, part] of one.entries()) {
    const difference = part - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Exports all parts of a split output, and the function that makes all handlers. */
function printBarrel(
  operations: readonly EmitterOperation[],
  { parts, kit }: { readonly parts: ReadonlyMap<string, readonly EmitterOperation[]>; readonly kit: Kit },
): string {
  const name = kit.names.api;
  const imports = [...parts].map(([file, own]) => {
    const constants = own.map((operation) => kit.names.operation(operation).constant('Handler'));
    return `import { ${constants.join(', ')} } from './${file}.js';`;
  });
  return [
    "import type { HttpHandler } from 'msw';",
    `import type * as rt from '${kit.runtime('msw')}';`,
    ...imports,
    '',
    `export type { ${name}Handler, ${name}HandlerOptions, ${name}Resolver } from './msw/base.js';`,
    ...[...parts.keys()].map((file) => `export * from './${file}.js';`),
    printAllOf(operations, kit),
  ].join('\n');
}
