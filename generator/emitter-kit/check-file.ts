import { getOrInsert } from '../../model/maps.js';
import type { Api } from '../../model/api.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { ModuleScope } from '../../schema/compile/module-scope.js';
import { printCheck } from '../../schema/compile/print-check.js';
import { checkName, isSharedName, sharedPartsOf } from '../../schema/compile/shared-parts.js';
import { type Direction, namedView, schemaView } from '../../schema/variants.js';
import type { CheckModule, OutputName } from './contract.js';

/** A module of compiled checks that an emitter asks for, one by one. */
export class CheckFile implements CheckModule {
  readonly #api: Api;
  readonly #path: string;
  readonly #scope = new ModuleScope();
  /** The names of the exported functions, by the JSON of their schema. */
  readonly #parts = new Map<string, string>();
  readonly #texts: string[] = [];

  /** @param path - from the root of the output. */
  constructor(api: Api, path: string) {
    this.#api = api;
    this.#path = path;
  }

  of(schema: Schema, direction: Direction): OutputName {
    const view = schemaView(schema, this.#api, direction);
    const name = getOrInsert(this.#parts, stringifyExactJson(view), () => {
      const functionName = `part_${this.#parts.size}`;
      this.#texts.push(this.#print(view, { functionName, head: `export function ${functionName}` }));
      return functionName;
    });
    return { name, module: `./${this.#path.replace(/\.ts$/, '.js')}` };
  }

  /** The text of the module; `undefined` if no check was asked for. */
  print(): string | undefined {
    if (this.#texts.length === 0) return undefined;
    const printed = new Set<string>();
    for (let count = -1; count !== printed.size;) {
      count = printed.size;
      for (const [name, { view, tracks }] of this.#scope.calls) {
        if (printed.has(name)) continue;
        printed.add(name);
        const isShared = isSharedName(view);
        const schema = isShared ? sharedPartsOf(this.#api).shared.get(view) : namedView(view, this.#api);
        this.#texts.push(this.#print(schema ?? true, { functionName: name, ...(isShared ? {} : { view }), tracks }));
      }
    }
    const root = '../'.repeat(this.#path.split('/').length - 1) || './';
    const formats = this.#scope.usesFormats ? `import * as fmt from '${root}runtime/formats.js';\n` : '';
    const body = [this.#scope.printConstants(), ...this.#texts].join('\n');
    return `import ${body.replaceAll(/\brt\.(?:Out|Evaluated)\b/g, '').includes('rt.') ? '' : 'type '}* as rt from '${root}runtime/checks.js';\n${formats}\n${body}`;
  }

  #print(
    view: Schema,
    options: {
      readonly functionName: string;
      readonly head?: string;
      readonly view?: string;
      readonly tracks?: boolean;
    },
  ): string {
    const shared = sharedPartsOf(this.#api);
    const sharedAs = (part: SchemaObject): string | undefined => shared.nameOf(part, options.view);
    return printCheck(view, { api: this.#api, scope: this.#scope, nameOf: checkName, sharedAs, ...options });
  }
}
