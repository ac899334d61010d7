import type { Api, Operation } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { appendPointer } from '../../model/document/pointer.js';
import { upperFirst } from '../../model/identifiers.js';
import type { Pagination } from './pagination.js';
import { CHANGE } from './change-helper.js';
import { checkExtensions } from './check-extensions.js';
import { planExpiries, planRateLimit } from './document-helpers.js';
import {
  type HelperFunction,
  type HelperOptions,
  HelperRefusal,
  HelperScope,
  type OperationHelper,
} from './helper-scope.js';
import { PAGING, POLLING, STREAMING } from './repeating-helpers.js';
import { LIVE_SESSION, UPLOAD } from './transfer-helpers.js';
import { planWebhooks } from './webhook-helper.js';

/** The helpers of operations. A new one is added here. */
const OPERATION_HELPERS = [PAGING, STREAMING, POLLING, CHANGE, UPLOAD, LIVE_SESSION] as OperationHelper<unknown>[];

/** The client helpers that a spec declares, ready to be printed. */
export interface Helpers {
  /** Functions that are also methods of the client, each with the operation that declares it. */
  readonly methods: readonly HelperMethod[];
  /** All functions of `helpers.ts`, in its order. */
  readonly functions: readonly HelperFunction[];
  /** Names of operations without a function, because a session replaces them. */
  readonly replaced: ReadonlySet<string>;
  /** The name of the function that waits at rate limits, if the document describes them. */
  readonly limits: string | undefined;
  /** Whether the API sends webhooks. */
  readonly hasWebhooks: boolean;
  /** The imports of `helpers.ts`, and the local names of its namespaces. */
  readonly scope: Pick<HelperScope, 'imports' | 'schemaTypes' | 'namespace' | 'codecNamespace' | 'contextParameter'>;
  /** Invalid extensions, and those that do not fit their API. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A function that is also a method of the client. */
export interface HelperMethod extends HelperFunction {
  readonly operation: Operation;
  /** The extension that it comes from, also if it is implied. */
  readonly extension: string;
  /** How a list is read page by page. */
  readonly pages?: Pagination;
}

/** Reads the helpers of an API. */
export async function readHelpers(api: Api, options: HelperOptions): Promise<Helpers> {
  const scope = new HelperScope(api, options, await checkExtensions(api));
  const methods = planMethods(scope);
  const replaced = new Set(methods.filter(({ name, operation }) => name === operation.name).map(({ name }) => name));
  const expiries = planExpiries(scope);
  const limits = planRateLimit(scope);
  const webhooks = planWebhooks(scope);
  return {
    methods,
    functions: [...methods, ...[limits ?? []].flat(), ...expiries, ...[webhooks ?? []].flat()],
    replaced,
    limits: limits?.name,
    hasWebhooks: webhooks !== undefined,
    scope,
    diagnostics: [...scope.checked.diagnostics, ...scope.problems],
  };
}

/** Plans the helpers of all operations, in their order. Those that extensions declare take their names first. */
function planMethods(scope: HelperScope): HelperMethod[] {
  const rows = scope.api.operations.flatMap((operation) =>
    OPERATION_HELPERS.map((helper) => ({ operation, helper, isDeclared: declares(operation, helper) })),
  );
  const planned = new Map(
    [...rows.filter(({ isDeclared }) => isDeclared), ...rows.filter(({ isDeclared }) => !isDeclared)].map((row) => [
      row,
      planMethod(row.operation, row.helper, scope),
    ]),
  );
  return rows.flatMap((row) => planned.get(row) ?? []);
}

function declares({ extensions }: Operation, { extension }: OperationHelper<unknown>): boolean {
  return Object.hasOwn(extensions, extension);
}

function planMethod(operation: Operation, helper: OperationHelper<unknown>, scope: HelperScope): HelperMethod[] {
  const { extension, isImplied = false, options, doc } = helper;
  const value = scope.extension(operation, extension);
  if (value === undefined && !isImplied) return [];
  try {
    const planned = helper.plan(operation, value, scope);
    if (planned === undefined) return [];
    const { summary, parameters = [scope.requestParameter(operation)], ...rest } = planned;
    // A session takes the place of its operation.
    const name = rest.name === operation.name ? rest.name : scope.names.take(rest.name);
    const all = [...parameters, { name: 'options', type: scope.use(options), isOptional: true }];
    const usage = all.map((one) => (one.isOptional === true ? `${one.name}?` : one.name)).join(', ');
    return [
      {
        ...rest,
        ...{ name, operation, extension },
        doc: `${upperFirst(summary)}.\n\n${doc}`,
        usage: `\`client.${name}(${usage})\`: ${summary}`,
        parameters: [scope.contextParameter, ...all],
      },
    ];
  } catch (error) {
    if (!(error instanceof HelperRefusal)) throw error;
    const { file, pointer } = operation.source;
    scope.report(extension, { file, pointer: appendPointer(pointer, extension) }, error);
    return [];
  }
}
