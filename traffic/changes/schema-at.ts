import type { Api, Operation } from '../../model/api.js';
import { stepInto } from '../../model/document/pointer.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import type { Schema } from '../../model/schema-types.js';
import { findPart } from './find-part.js';

interface SchemaPlace {
  readonly root: { readonly source: SourceLocation; readonly isSchema: boolean };
  readonly steps: readonly string[];
}

/** Returns the schema at a place, if there is one. */
export function schemaAt(api: Api, operation: Operation, { root, steps }: SchemaPlace): Schema | undefined {
  let here: unknown = root.isSchema ? namedAt(api, root.source) : schemaOf(operation, root.source);
  let rest = steps;
  if (!root.isSchema) rest = steps[0] === 'content' ? steps.slice(3) : steps.slice(1);
  for (const step of rest) here = stepInto(here, step);
  return here as Schema | undefined;
}

function namedAt(api: Api, { file, pointer }: SourceLocation): Schema | undefined {
  for (const { schema, source } of api.schemas.values())
    if (source.file === file && source.pointer === pointer) return schema;
  return undefined;
}

function schemaOf(operation: Operation, source: SourceLocation): Schema | undefined {
  const part = findPart(operation, source);
  switch (part?.kind) {
    case 'parameter':
      return part.parameter.schema;
    case 'header':
      return part.header.schema;
    case 'media':
      return part.media.schema;
    default:
      return undefined;
  }
}
