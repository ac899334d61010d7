import type { Api, NamedSchema, Operation } from '../model/api.js';
import type { Schema } from '../model/schema-types.js';
import { surveySchema, withReferred } from '../model/schema-survey.js';
import { SpecLocation, whereAdded, whereRemoved } from './location.js';
import { BOTH_DIRECTIONS } from './raw-change.js';
import type { DiffContext } from './diff-context.js';
import { quoteShort } from './phrases.js';

/**
 * Compares the schemas that no operation uses, by name, because users may rely on published schemas. A bare JSON Schema
 * is compared only as a description of what users write.
 */
export function compareUnusedSchemas(context: DiffContext): void {
  const { old, new: next } = context;
  compareRootSchemas(context);
  const [oldUnused, unused] = [findUnused(old), findUnused(next)];
  const [oldNames, names] = [namesOf(old), namesOf(next)];
  const directions = next.rootSchema === undefined ? BOTH_DIRECTIONS : (['request'] as const);
  const usages = directions.map((direction) => ({ direction }));
  for (const [name, was] of oldUnused) {
    const is = unused.get(name);
    if (is !== undefined) for (const usage of usages) context.schemas.addRoot(partOf(was), partOf(is), usage);
    else if (!names.has(name)) {
      const message = `The schema ${quoteShort(name)} is gone; no operation used it`;
      const locations = whereRemoved(partOf(was).location, schemasOf(next));
      context.report({ kind: 'schema-removed', message, ...locations }, usages);
    }
  }
  for (const [name, is] of unused) {
    if (oldNames.has(name)) continue;
    const message = `The schema ${quoteShort(name)} is new; no operation uses it`;
    context.report({ kind: 'schema-added', message, ...whereAdded(schemasOf(old), partOf(is).location) }, usages);
  }
}

function compareRootSchemas({ old, new: next, schemas }: DiffContext): void {
  const [was, is] = [old, next].map((api) =>
    api.rootSchema === undefined ? undefined : api.schemas.get(api.rootSchema),
  );
  if (was !== undefined && is !== undefined) schemas.addRoot(partOf(was), partOf(is), { direction: 'request' });
}

function partOf({ schema, source, originalName }: NamedSchema): { schema: Schema; location: SpecLocation } {
  return { schema, location: SpecLocation.ofSchema(source, originalName) };
}

function namesOf({ schemas }: Api): Set<string> {
  return new Set([...schemas.values()].map(({ originalName }) => originalName));
}

/** The place of the named schemas. */
function schemasOf(api: Api): SpecLocation {
  return SpecLocation.ofApi(api, api.dialect === 'openapi-2.0' ? '/definitions' : '/components/schemas');
}

/** Returns unused schemas by their names in the document; the first of each name wins. */
function findUnused(api: Api): Map<string, NamedSchema> {
  const used = findUsed(api);
  const unused = new Map<string, NamedSchema>();
  for (const [name, schema] of api.schemas)
    if (!used.has(name) && !unused.has(schema.originalName)) unused.set(schema.originalName, schema);
  return unused;
}

function findUsed(api: Api): Set<string> {
  const schemas = [...api.operations, ...api.webhooks].flatMap(schemasIn);
  const refs = schemas.flatMap((schema) => [...surveySchema(schema).refs]);
  return withReferred(api.rootSchema === undefined ? refs : [api.rootSchema, ...refs], api.schemas);
}

/** All schemas that an operation contains directly. */
function schemasIn({ parameters, body, responses, callbacks }: Operation): Schema[] {
  const contents = [...(body?.content ?? []), ...responses.flatMap(({ content }) => content)];
  return [
    ...parameters.map(({ schema }) => schema),
    ...responses.flatMap(({ headers }) => headers.map(({ schema }) => schema)),
    ...contents.flatMap(({ schema }) => schema ?? []),
    ...callbacks.flatMap(({ operations }) => operations.flatMap(schemasIn)),
  ];
}
