import type { MediaType } from '../../model/api.js';
import type { SourceLocation } from '../../model/diagnostics/diagnostic.js';
import { appendPointer } from '../../model/document/pointer.js';

/** Where the schema of a media type is written. */
export function schemaPlace({ source }: Pick<MediaType, 'source'>): SourceLocation {
  return { file: source.file, pointer: appendPointer(source.pointer, 'schema') };
}
