import { groupPairs } from '../../model/maps.js';
import type { Api, NamedSchema, Operation } from '../../model/api.js';
import { NameAllocator, toStringLiteral } from '../../model/identifiers.js';
import { type Schema, refName } from '../../model/schema-types.js';
import { printCheck } from '../../schema/compile/print-check.js';
import { ModuleScope } from '../../schema/compile/module-scope.js';
import { nameVariants, originOf } from '../../schema/variant-names.js';
import { namedView, requestView, responseView } from '../../schema/variants.js';
import { NameTags } from './name-tags.js';
import { type ValidatorNames, nameValidators } from './name-validators.js';
import { requestSchema, viewsOf } from './operation-schemas.js';
import { type ModulePlan, type PrintedNames, printEntry, printResponses, printRuntimeExports } from './print-entry.js';
import { type OperationNames, printOperationValidators, printTypeValidators } from './print-guards.js';
import { type SharedParts, checkName, isSharedName, sharedPartsOf } from '../../schema/compile/shared-parts.js';

/**
 * Prints modules of validators, by path, with types from the module `types`. Together, the plans must contain all
 * schemas and operations of the API, and each first digit of a shared part. Several modules get an `entry` that exports
 * the public functions.
 */
export function printValidatorModules(
  api: Api,
  apiName: string,
  { plans, entry, types }: ModulesOptions,
): ReadonlyMap<string, string> {
  const modules = new ModuleSet(api, apiName, { plans, types });
  const texts = modules.print();
  return plans.length === 1 ? texts : new Map([[entry, printEntry(plans, modules.named)], ...texts]);
}

interface ModulesOptions {
  readonly plans: readonly ModulePlan[];
  readonly entry: string;
  readonly types: string;
}

/** A module that is being printed. */
interface OpenModule {
  readonly plan: ModulePlan;
  readonly scope: ModuleScope;
  /** The checks, and the public functions. */
  readonly checks: string[];
  readonly functions: string[];
  readonly types: Set<string>;
  /** Names of the functions that check parts of operations, by the JSON of the schema. */
  readonly parts: Map<string, string>;
}

class ModuleSet {
  readonly #api: Api;
  /** The module that types are imported from. */
  readonly #types: string;
  readonly #names: ValidatorNames;
  readonly #tags: NameTags;
  readonly #modules: readonly OpenModule[];
  readonly #shared: SharedParts;
  readonly #operationNames = new Map<Operation, OperationNames>();
  /** The module of each function, printed or pending. */
  readonly #homes = new Map<string, OpenModule>();
  readonly #printed = new Set<string>();

  constructor(api: Api, apiName: string, { plans, types }: Omit<ModulesOptions, 'entry'>) {
    this.#api = api;
    this.#shared = sharedPartsOf(api);
    this.#types = types;
    this.#names = nameValidators(api, apiName);
    this.#tags = new NameTags(api);
    this.#modules = plans.map((plan) => {
      return { plan, scope: new ModuleScope(), checks: [], functions: [], types: new Set(), parts: new Map() };
    });
    this.#nameRules();
    this.#noteViews();
  }

  print(): ReadonlyMap<string, string> {
    for (const open of this.#modules) {
      for (const schema of open.plan.schemas) this.#printSchema(schema, open);
      for (const operation of open.plan.operations) this.#printOperation(operation, open);
    }
    this.#printCalled();
    const used = this.#modules.filter(
      ({ checks, functions }) => !this.#isSplit || checks.length + functions.length > 0,
    );
    return new Map(used.map((open) => [open.plan.path, this.#printModule(open)]));
  }

  /** Rules are exported only by the modules of a split output, so their names must differ from all others. */
  #nameRules(): void {
    const taken = [...this.#names.schemas.values()].flatMap(({ type }) => [`check${type}`]);
    const names = new NameAllocator({ taken });
    for (const operation of this.#modules.flatMap(({ plan }) => plan.operations)) {
      const named = this.#names.operations.get(operation);
      if (named !== undefined)
        this.#operationNames.set(operation, { ...named, rules: names.take(`${operation.name}Rules`) });
    }
  }

  #noteViews(): void {
    const { request } = nameVariants(this.#api);
    for (const open of this.#modules) {
      for (const { name } of open.plan.schemas) {
        for (const view of [name, request.get(name) ?? name]) this.#homes.set(view, open);
      }
      for (const operation of open.plan.operations)
        for (const view of viewsOf(operation, this.#api)) this.#shared.note(view);
    }
  }

  #printSchema({ name, inputName }: NamedSchema, open: OpenModule): void {
    const variant = nameVariants(this.#api).request.get(name);
    const exported = variant === undefined || inputName === undefined ? [name] : [name, variant];
    for (const view of exported) this.#printView(view, false, open);
    for (const type of new Set([name, inputName ?? name])) {
      const validators = this.#names.schemas.get(type);
      if (validators === undefined) continue;
      open.types.add(type);
      const view = type === inputName ? (variant ?? name) : name;
      const tagTest = this.#printTagTest(view, open);
      open.functions.push(printTypeValidators(validators, checkName(view, false), tagTest));
    }
  }

  /** Prints what the guard of a view tests besides its check. */
  #printTagTest(view: string, open: OpenModule): string | undefined {
    return this.#tags.print(view, namedView(view, this.#api) ?? true, {
      check: (schema) => this.#checkOfPart(schema, open),
      tags: (name) => {
        const called = `${TAGS}${name}`;
        open.scope.calls.set(called, { view: name, tracks: false });
        return called;
      },
    });
  }

  #printTags(functionName: string, view: string, open: OpenModule): void {
    this.#printed.add(functionName);
    const test = this.#printTagTest(view, open) ?? 'true';
    const head = `${this.#isSplit ? 'export ' : ''}function ${functionName}`;
    open.checks.push(`${head}(value: unknown): boolean {\n  return ${test};\n}\n`);
  }

  #printView(view: string, tracks: boolean, open: OpenModule): void {
    const functionName = checkName(view, tracks);
    this.#printed.add(functionName);
    const schema = isSharedName(view) ? this.#shared.shared.get(view) : namedView(view, this.#api);
    open.checks.push(this.#printCheck(schema ?? true, { functionName, view, tracks }, open));
  }

  #printCheck(
    schema: Schema,
    { functionName, view, tracks = false }: { functionName: string; view?: string; tracks?: boolean },
    open: OpenModule,
  ): string {
    return printCheck(schema, {
      api: this.#api,
      scope: open.scope,
      functionName,
      head: `${this.#isSplit ? 'export ' : ''}function ${functionName}`,
      tracks,
      ...(view === undefined || isSharedName(view) ? {} : { view }),
      nameOf: checkName,
      sharedAs: (part) => this.#shared.nameOf(part, view),
    });
  }

  #printOperation(operation: Operation, open: OpenModule): void {
    const names = this.#operationNames.get(operation);
    if (names === undefined) return;
    const request = this.#checkOfPart(requestView(requestSchema(operation, this.#api), this.#api), open);
    const checkOf = (schema: Schema): string => this.#checkOfPart(responseView(schema, this.#api), open);
    open.types.add(names.requestType);
    const printed = printOperationValidators(operation, names, { request, checkOf, api: this.#api });
    open.functions.push(this.#isSplit ? `export ${printed}` : printed);
  }

  /**
   * Returns the name of the function that checks a part of an operation: that of a named schema, or one that is printed
   * here.
   */
  #checkOfPart(view: Schema, open: OpenModule): string {
    if (typeof view === 'object' && view.$ref !== undefined && Object.keys(view).length === 1) {
      const name = refName(view.$ref);
      const called = checkName(name, false);
      open.scope.calls.set(called, { view: name, tracks: false });
      return called;
    }
    const key = JSON.stringify(view);
    const known = open.parts.get(key);
    if (known !== undefined) return known;
    const functionName = `part_${open.parts.size}`;
    open.parts.set(key, functionName);
    open.checks.push(this.#printCheck(view, { functionName }, open));
    return functionName;
  }

  /** Prints functions that are called but not yet printed: shared parts, and checks that record what they evaluate. */
  #printCalled(): void {
    for (let count = -1; count !== this.#printed.size;) {
      count = this.#printed.size;
      for (const { scope } of this.#modules) {
        for (const [name, { view, tracks }] of scope.calls) {
          if (this.#printed.has(name)) continue;
          const home = this.#homeOf(view);
          if (home === undefined) continue;
          if (name.startsWith(TAGS)) this.#printTags(name, view, home);
          else this.#printView(view, tracks, home);
        }
      }
    }
  }

  #homeOf(view: string): OpenModule | undefined {
    return isSharedName(view)
      ? this.#modules.find(({ plan }) => plan.shared.includes(view.charAt(1)))
      : (this.#homes.get(view) ?? this.#homes.get(originOf(view, this.#api)));
  }

  get #isSplit(): boolean {
    return this.#modules.length > 1;
  }

  get named(): PrintedNames {
    return { api: this.#api, validators: this.#names, operations: this.#operationNames };
  }

  #printModule(open: OpenModule): string {
    const { plan, scope, checks, functions } = open;
    const responses = this.#isSplit ? [] : printResponses(plan.operations, this.named);
    const parts = [scope.printConstants(), ...checks, ...functions, ...responses];
    // Without schemas and operations, nothing calls the runtime, and compilers refuse an unused import.
    const usesRuntime = parts.some((part) => part.includes('rt.'));
    return [this.#printHeader(open, usesRuntime), ...parts].filter((part) => part !== '').join('\n');
  }

  #printHeader(open: OpenModule, usesRuntime: boolean): string {
    const root = this.#isSplit ? '../' : './';
    const lines = this.#isSplit ? [] : [printRuntimeExports(this.#names).trimEnd()];
    if (open.types.size > 0)
      lines.push(`import type { ${[...open.types].join(', ')} } from '${root}${this.#types}.js';`);
    if (usesRuntime) lines.push(`import * as rt from '${root}runtime/checks.js';`);
    if (open.scope.usesFormats) lines.push(`import * as fmt from '${root}runtime/formats.js';`);
    const byModule = groupPairs(
      [...open.scope.calls].flatMap(([name, { view }]) => {
        const home = this.#homeOf(view);
        return home === undefined || home === open ? [] : [[home.plan.path, name] as const];
      }),
    );
    for (const [path, names] of [...byModule].toSorted(([one], [other]) => (one < other ? -1 : 1)))
      lines.push(`import { ${names.toSorted().join(', ')} } from ${toStringLiteral(`${root}${path}.js`)};`);
    return `${lines.join('\n')}\n`;
  }
}

/** The prefix of functions that test the tags of a view. */
const TAGS = 'tags_';
