import type { Api, Operation } from '../model/api.js';
import { createDiagnostic } from '../model/diagnostics/create-diagnostic.js';
import type { Diagnostic, SourceLocation } from '../model/diagnostics/diagnostic.js';
import type { Schema } from '../model/schema-types.js';
import { prepareSchema } from './to-ajv.js';
import { type Direction, namedView, schemaView } from './variants.js';

/**
 * What of an API's schemas cannot be checked exactly, as compiling them all would report it, but without compiling one.
 * Steps are small: between two of them one may do something else.
 *
 * @example
 * for (const diagnostics of findUnchecked(api)) diagnostics.forEach(report);
 */
export function* findUnchecked(api: Api): Iterable<readonly Diagnostic[]> {
  for (const [name, { source }] of api.schemas) yield checkView(namedView(name, api) ?? true, api, { name, source });
  for (const operation of api.operations) {
    for (const { schema, source, direction } of schemasOf(operation))
      yield checkView(schemaView(schema, api, direction), api, { source });
  }
}

interface Placed {
  readonly schema: Schema;
  readonly source: SourceLocation;
  readonly direction: Direction;
}

/** The schemas that stand in an operation itself. */
function schemasOf({ parameters, body, responses }: Operation): Placed[] {
  const sent = [...parameters, ...(body?.content ?? [])];
  const received = responses.flatMap(({ content, headers }) => [...content, ...headers]);
  const place = (direction: Direction) => {
    return ({ schema, source }: Pick<Placed, 'source'> & { readonly schema?: Schema }): Placed[] =>
      schema === undefined ? [] : [{ schema, source, direction }];
  };
  return [...sent.flatMap(place('request')), ...received.flatMap(place('response'))];
}

function checkView(
  view: Schema,
  api: Api,
  { name, source }: { readonly name?: string; readonly source: SourceLocation },
): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  prepareSchema(view, {
    api,
    ...(name === undefined ? {} : { name }),
    report: (code, pointer, message) =>
      found.push(createDiagnostic(code, { file: source.file, pointer: source.pointer + pointer }, message)),
  });
  return found;
}
