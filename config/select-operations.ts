import { compileGlob } from '../model/glob.js';
import type { Api, ApiResponse, Header, MediaType, Operation } from '../model/api.js';
import { suggestName } from '../model/diagnostics/closest-name.js';
import { InputError } from '../model/diagnostics/input-error.js';
import { isRecord } from '../model/document/records.js';
import { refName } from '../model/schema-types.js';
import type { ResolvedSelection } from './config-types.js';

/** The chosen operations of an API. */
export interface OperationChoice {
  /** Absent for all. */
  readonly include?: ResolvedSelection;
  readonly exclude: ResolvedSelection;
}

/**
 * Returns the API with only the chosen operations and webhooks, and the schemas that they reach. Without a choice,
 * returns the API itself.
 *
 * @throws InputError if nothing is left of an API with operations.
 */
export function selectOperations(api: Api, choice: OperationChoice): Api {
  if (choice.include === undefined && isEmpty(choice.exclude)) return api;
  for (const [name, selection] of Object.entries({ include: choice.include, exclude: choice.exclude }))
    if (selection !== undefined) refuseUnknownNames(name, selection, api);
  const isChosen = operationTest(choice);
  const operations = api.operations.filter(isChosen);
  const webhooks = api.webhooks.filter(isChosen);
  if (operations.length + webhooks.length === 0 && api.operations.length + api.webhooks.length > 0) {
    throw new InputError('The include and exclude of the configuration leave no operation.');
  }
  const ids = new Set(operations.map(({ id }) => id));
  const kept = operations.map((operation) => ({
    ...operation,
    responses: operation.responses.map((response) => keepLinks(response, ids)),
  }));
  return { ...api, operations: kept, webhooks, schemas: reachableSchemas(api, [...kept, ...webhooks]) };
}

/** @throws InputError if the spec has no such tag, path or operation, which is most likely a typo. */
function refuseUnknownNames(choice: string, { tags, paths, operations }: ResolvedSelection, api: Api): void {
  const all = [...api.operations, ...api.webhooks];
  const known = {
    tag: new Set(all.flatMap((operation) => operation.tags)),
    path: new Set(all.map((operation) => operation.path)),
    operation: new Set(all.map(({ id }) => id)),
  };
  const matches = (pattern: RegExp, names: ReadonlySet<string>): boolean =>
    [...names].some((name) => pattern.test(name));
  const isOperation = (name: string): boolean => matches(compileGlob(name), known.operation);
  const refuse = (kind: keyof typeof known, name: string, names: Iterable<string>): never => {
    throw new InputError(
      `The ${choice} of the configuration names the ${kind} ${JSON.stringify(name)}, which the spec does not have.${suggestName(name, names)}`,
    );
  };
  // In a list, a name may be a tag or an operation.
  for (const name of tags)
    if (!known.tag.has(name) && !(operations.includes(name) && isOperation(name)))
      refuse('tag', name, operations.includes(name) ? [...known.tag, ...known.operation] : known.tag);
  for (const name of operations)
    if (!isOperation(name) && !tags.includes(name)) refuse('operation', name, known.operation);
  for (const name of paths)
    if (!matches(compileGlob(name, { star: 'segment' }), known.path)) refuse('path', name, known.path);
}

function isEmpty({ tags, paths, operations }: ResolvedSelection): boolean {
  return tags.length + paths.length + operations.length === 0;
}

function operationTest({ include, exclude }: OperationChoice): (operation: Operation) => boolean {
  const isIncluded = include === undefined ? () => true : matchTest(include);
  const isExcluded = matchTest(exclude);
  return (operation) => isIncluded(operation) && !isExcluded(operation);
}

function matchTest({ tags, paths, operations }: ResolvedSelection): (operation: Operation) => boolean {
  const pathPatterns = paths.map((glob) => compileGlob(glob, { star: 'segment' }));
  const idPatterns = operations.map((glob) => compileGlob(glob));
  return (operation) =>
    operation.tags.some((tag) => tags.includes(tag)) ||
    pathPatterns.some((pattern) => pattern.test(operation.path)) ||
    idPatterns.some((pattern) => pattern.test(operation.id));
}

function keepLinks(response: ApiResponse, ids: ReadonlySet<string>): ApiResponse {
  return { ...response, links: response.links.filter(({ operationId }) => ids.has(operationId)) };
}

function reachableSchemas(api: Api, operations: readonly Operation[]): Api['schemas'] {
  const reached = new Set<string>(api.rootSchema === undefined ? [] : [api.rootSchema]);
  for (const operation of operations) for (const schema of operationSchemas(operation)) collectNames(schema, reached);
  // Iterating a set also visits names that are added on the way.
  for (const name of reached) collectNames(api.schemas.get(name)?.schema, reached);
  return new Map([...api.schemas].filter(([name]) => reached.has(name)));
}

function operationSchemas(operation: Operation): unknown[] {
  return [
    ...operation.parameters.map(({ schema }) => schema),
    ...contentSchemas(operation.body?.content ?? []),
    ...operation.responses.flatMap(({ headers, content }) => [...headerSchemas(headers), ...contentSchemas(content)]),
    ...operation.callbacks.flatMap((callback) => callback.operations.flatMap(operationSchemas)),
  ];
}

function contentSchemas(content: readonly MediaType[]): unknown[] {
  return content.flatMap(({ schema, sequence, encoding }) => [
    schema,
    sequence?.schema,
    ...[...encoding.values()].flatMap(({ headers }) => headerSchemas(headers)),
  ]);
}

function headerSchemas(headers: readonly Header[]): unknown[] {
  return headers.map(({ schema }) => schema);
}

/**
 * Collects the names that a schema refers to. A member of `properties` may be called `$ref`, but then its value is a
 * schema, not a text.
 */
function collectNames(schema: unknown, names: Set<string>): void {
  if (Array.isArray(schema)) for (const item of schema) collectNames(item, names);
  if (!isRecord(schema)) return;
  if (typeof schema['$ref'] === 'string') names.add(refName(schema['$ref']));
  if (isRecord(schema['discriminator']) && isRecord(schema['discriminator']['mapping'])) {
    for (const name of Object.values(schema['discriminator']['mapping'])) if (typeof name === 'string') names.add(name);
  }
  for (const value of Object.values(schema)) collectNames(value, names);
}
