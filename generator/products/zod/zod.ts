import type {
  Direction,
  EmitterApi,
  EmitterDefinition,
  EmitterKit,
  EmitterOperation,
  OutputFile,
} from '../../emitter-kit/contract.js';
import { defineEmitter } from '../../emitter-kit/define-emitter.js';
import { type HelperOptions, MODULES, namesOf, printHelpers } from './helpers.js';
import { keyOf, printNamed } from './print-named.js';
import { printSchema, printStructure } from './print-schema.js';
import { printBodies, printOperation } from './print-operation.js';
import { type ZodOptions, type ZodScope, differsByWay } from './scope.js';

/** `zod.ts`: schemas of Zod 4 that accept what the validators accept. */
export const zod: EmitterDefinition<ZodOptions> = defineEmitter({
  name: 'zod',
  version: 1,
  requires: ['types'],
  peers: { zod: '>=4.1' },
  options: {
    variant: {
      enum: ['classic', 'mini'],
      default: 'classic',
      description: 'Whether the file imports `zod` or `zod/mini`.',
    },
    unknownKeys: {
      enum: ['loose', 'strip', 'strict'],
      default: 'loose',
      description:
        'Whether members without a name in the schema are kept, removed or refused, where the spec does not say it.',
    },
    defaults: {
      enum: ['ignore', 'apply'],
      default: 'ignore',
      description: 'Whether missing members get their default.',
    },
    formats: { enum: ['check', 'annotate'], default: 'check', description: 'Whether formats are checked.' },
    dates: {
      enum: ['types', 'string'],
      default: 'types',
      description: 'Whether dates and long integers are converted to the types of the output, or stay JSON.',
    },
    coerce: {
      type: 'boolean',
      default: false,
      description: 'Whether numbers and booleans may be given as text, as forms send them.',
    },
    metadata: {
      type: 'boolean',
      default: false,
      description:
        'Whether schemas have title, description and id, so that `z.toJSONSchema` returns those of the spec.',
    },
    brands: {
      type: 'boolean',
      default: true,
      description: 'Whether ids are branded where the types of the output are.',
    },
  },
  emit(api, kit) {
    const run = new ZodRun(api, kit);
    run.emit();
  },
});

/** A file of schemas that is being printed. */
interface OpenFile {
  readonly file: OutputFile;
  /** From the root of the output, without extension. */
  readonly path: string;
  readonly helpers: Set<string>;
  readonly texts: string[];
  readonly proofs: string[];
}

class ZodRun {
  readonly #api: EmitterApi;
  readonly #kit: EmitterKit<ZodOptions>;
  /** The constants that are declared, with those that have a shape. */
  readonly #declared = new Map<string, boolean>();
  readonly #inputs: ReadonlySet<string>;
  readonly #files: OpenFile[] = [];
  readonly #isSplit: boolean;

  constructor(api: EmitterApi, kit: EmitterKit<ZodOptions>) {
    this.#api = api;
    this.#kit = kit;
    this.#inputs = new Set(api.schemasInOrder().flatMap(({ name, hasInput }) => (hasInput ? [name] : [])));
    this.#isSplit = api.operations.some((operation) =>
      kit.names.operation(operation).fn.module.startsWith('./operations/'),
    );
  }

  emit(): void {
    const schemas = this.#open(this.#isSplit ? 'zod-schemas' : 'zod');
    // All names of schemas are taken before those of operations, so that a new operation changes none.
    for (const { name } of this.#api.schemasInOrder()) this.#constantOf(name, 'response');
    for (const { name } of this.#api.schemasInOrder()) this.#constantOf(name, 'request');
    for (const one of this.#api.schemasInOrder())
      for (const direction of one.hasInput ? (['response', 'request'] as const) : (['response'] as const)) {
        const { text, isObject, proof } = printNamed(
          one,
          this.#constantOf(one.name, direction),
          this.#scope(schemas, direction, { name: one.name, source: this.#sourceOf(one.name) }),
        );
        this.#declared.set(keyOf(one.name, direction, this.#inputs), isObject);
        schemas.texts.push(text);
        schemas.proofs.push(proof);
      }
    for (const [path, operations] of this.#operationFiles()) {
      const open = path === schemas.path ? schemas : this.#open(path);
      for (const operation of operations) {
        const { texts, proofs } = printOperation(
          operation,
          this.#scope(open, 'response', { name: operation.name, source: operation.source }),
        );
        open.texts.push(...texts);
        open.proofs.push(...proofs);
      }
    }
    for (const webhook of this.#api.webhooks)
      schemas.texts.push(
        ...printBodies(webhook, this.#scope(schemas, 'response', { name: webhook.name, source: webhook.source })),
      );
    if (this.#isSplit) this.#writeShared();
  }

  #open(path: string): OpenFile {
    const open: Omit<OpenFile, 'file'> = { path, helpers: new Set(), texts: [], proofs: [] };
    const text = (): string => this.#print(open);
    const file = this.#kit.file(`${path}.ts`, { format: false, unchecked: this.#isSplit, text });
    const opened = { ...open, file };
    this.#files.push(opened);
    return opened;
  }

  #operationFiles(): ReadonlyMap<string, EmitterOperation[]> {
    const files = new Map<string, EmitterOperation[]>();
    for (const operation of this.#api.operations) {
      const { module } = this.#kit.names.operation(operation).fn;
      const path = module.replace(/^\.\/operations/, 'zod').replace(/\.js$/, '');
      const part = files.get(path);
      if (part === undefined) files.set(path, [operation]);
      else part.push(operation);
    }
    return files;
  }

  #constantOf(name: string, direction: Direction): string {
    const isInput = direction === 'request' && this.#inputs.has(name);
    return this.#kit.names.schema(name).prefixed('z', isInput ? 'Input' : '');
  }

  #sourceOf(name: string): ZodScope['place']['source'] {
    return this.#api.schemas.get(name)?.source ?? { file: '', pointer: '' };
  }

  #scope({ file, path, helpers }: OpenFile, direction: Direction, place: ZodScope['place']): ZodScope {
    const home = this.#files[0]?.path ?? 'zod';
    return {
      ...{
        api: this.#api,
        kit: this.#kit,
        file,
        direction,
        helpers,
        place,
        isTyped: false,
        isNamed: false,
        isLoose: false,
        late: undefined,
      },
      ...{ checks: this.#kit.checks('zod-checks.ts'), print: printSchema, structure: printStructure },
      refer: (name, way) => {
        const known = this.#declared.get(keyOf(name, way, this.#inputs));
        const constant = this.#constantOf(name, way);
        const local =
          path === home ? constant : this.#kit.names.import(file, { name: constant, module: `./${home}.js` });
        return { name: local, isObject: known ?? false, isReady: known !== undefined };
      },
    };
  }

  get #helperOptions(): Pick<HelperOptions, 'variant' | 'differs'> {
    return { variant: this.#kit.options.variant, differs: differsByWay({ kit: this.#kit }) };
  }

  /** The text of a file after the imports of types and constants. */
  #print({ path, helpers, texts, proofs }: Omit<OpenFile, 'file'>): string {
    const up = path.includes('/') ? '../' : './';
    const shared = this.#isSplit ? namesOf(helpers) : [];
    const head = [
      texts.some((text) => /\bz\./.test(text)) ? this.#importZod() : '',
      ...this.#importRuntime(helpers, up, !this.#isSplit),
      shared.length === 0 ? '' : `import { ${shared.join(', ')} } from '${up}zod-base.js';\n`,
    ].join('');
    const own = this.#isSplit ? '' : printHelpers(helpers, { ...this.#helperOptions, isExported: false });
    const proof = proofs.filter((line) => line !== '').join('');
    const proven = proof === '' ? '' : `// The compiler refuses a schema whose type is not that of the API.\n${proof}`;
    return [head, own, ...texts, proven].filter((text) => text !== '').join('\n');
  }

  #importZod(): string {
    return `import * as z from '${this.#kit.options.variant === 'mini' ? 'zod/mini' : 'zod'}';\n`;
  }

  #importRuntime(helpers: ReadonlySet<string>, up: string, hasHelpers: boolean): string[] {
    return MODULES.flatMap(([local, module, users]) => {
      const isUsed = users.some((name) => helpers.has(name) && (hasHelpers || name === local));
      return isUsed ? [`import * as ${local} from '${up}${this.#kit.runtime(module).slice(2)}';\n`] : [];
    });
  }

  /** The helpers of a split output, and the module that exports all schemas. */
  #writeShared(): void {
    const helpers = new Set(this.#files.flatMap((open) => namesOf(open.helpers)));
    const text = [this.#importZod(), ...this.#importRuntime(helpers, './', true)].join('');
    const printed = printHelpers(helpers, { ...this.#helperOptions, isExported: true });
    if (printed !== '') this.#kit.file('zod-base.ts', { format: false, unchecked: true, text: `${text}\n${printed}` });
    const barrel = this.#files.map(({ path }) => `export * from './${path}.js';\n`);
    this.#kit.file('zod.ts', { format: false, text: barrel.join('') });
  }
}
