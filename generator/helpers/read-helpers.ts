import { getOrInsert } from '../../model/maps.js';
import type { ValueTypes } from '../../config/config-types.js';
import type { Api, Operation } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { NameAllocator } from '../../model/identifiers.js';
import { clientFunctionNames } from '../type-names.js';
import type { RuntimeImport } from '../client/runtime-imports.js';
import { readChange } from './change-helper.js';
import { checkExtensions } from './check-extensions.js';
import { type ExpiryView, readExpiries } from './expiry-helper.js';
import { type HelperFunction, HelperScope } from './helper-scope.js';
import { type LimitView, readRateLimit } from './limit-helper.js';
import { readLiveSession } from './live-helper.js';
import { readPaging } from './paging-helper.js';
import { readPolling } from './poll-helper.js';
import { readStream } from './stream-helper.js';
import { readWebhooks, type WebhookView } from './webhook-helper.js';
import { readUpload } from './upload-helper.js';

/** The client helpers that a spec declares, ready to be printed. */
export interface Helpers {
  readonly functions: readonly (HelperFunction & { readonly operation: Operation })[];
  /** Names of operations without a function, because a session replaces them. */
  readonly replaced: ReadonlySet<string>;
  readonly imports: readonly RuntimeImport[];
  readonly schemaTypes: readonly string[];
  /** The local name of the namespace of all types. */
  readonly namespace: string;
  /** The local name of the namespace of all codecs. */
  readonly codecNamespace: string;
  readonly expiries: readonly ExpiryView[];
  /** The function that waits at rate limits, if the document describes them. */
  readonly limits: LimitView | undefined;
  /** The function that reads webhooks, if the API sends any. */
  readonly webhooks: WebhookView | undefined;
  /** Invalid extensions, and those that do not fit their API. */
  readonly diagnostics: readonly Diagnostic[];
}

const READERS = [readPaging, readStream, readPolling, readChange, readUpload, readLiveSession];

const known = new WeakMap<Api, Map<string, Promise<Helpers>>>();

/** Reads the helpers of an API, once. */
export function readHelpers(
  api: Api,
  { apiName, types }: { readonly apiName: string; readonly types?: ValueTypes | undefined },
): Promise<Helpers> {
  const byName = getOrInsert(known, api, () => new Map<string, Promise<Helpers>>());
  const key = JSON.stringify([apiName, types]);
  return getOrInsert(byName, key, () =>
    checkExtensions(api).then((checked) => read(new HelperScope(api, { apiName, types }, checked), apiName)),
  );
}

function read(scope: HelperScope, apiName: string): Helpers {
  const { api, checked } = scope;
  const found = api.operations.flatMap((operation) => readOperation(operation, scope));
  const replaced = new Set(
    found.filter(({ operation, helper }) => helper.name === operation.name).map(({ helper }) => helper.name),
  );
  const names = new NameAllocator({
    taken: [...api.operations.map(({ name }) => name), ...clientFunctionNames(apiName)],
  });
  const functions = found.map(({ helper, operation }) => ({
    ...helper,
    operation,
    name: replaced.has(helper.name) ? helper.name : names.take(helper.name),
  }));
  const expiries = readExpiries(scope, names);
  const limits = readRateLimit(scope, names);
  const webhooks = readWebhooks(scope, names, apiName);
  return {
    functions,
    replaced,
    imports: scope.imports.all,
    schemaTypes: [...scope.schemaTypes].toSorted(),
    namespace: scope.namespace,
    codecNamespace: scope.codecNamespace,
    expiries,
    limits,
    webhooks,
    diagnostics: [...checked.diagnostics, ...scope.problems],
  };
}

interface FoundHelper {
  readonly operation: Operation;
  readonly helper: HelperFunction;
}

function readOperation(operation: Operation, scope: HelperScope): FoundHelper[] {
  return READERS.flatMap((reader) => {
    const helper = reader(operation, scope);
    return helper === undefined ? [] : [{ operation, helper }];
  });
}
