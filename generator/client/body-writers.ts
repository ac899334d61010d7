import type { Api, MediaType, Operation } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import { isDescribed, isFile, mediaKind, orderContent } from '../media-kind.js';
import { choosePairWriter } from './parameter-writers.js';
import { printRecord, type RecordEntries } from './print-record.js';
import type { RuntimeImports } from './runtime-imports.js';

/** The writers of a request's body by media type, the default one first. */
export function bodyWriters(
  operation: Operation,
  { api, imports }: { readonly api: Api; readonly imports: RuntimeImports },
): RecordEntries {
  return orderContent(operation.body?.content ?? []).map(
    (media) => [media.mediaType, printBodyWriter(media, api, imports)] as const,
  );
}

function printBodyWriter(media: MediaType, api: Api, imports: RuntimeImports): string {
  switch (mediaKind(media.mediaType)) {
    case 'json':
      return imports.use('writeJson');
    case 'form':
      return printEncoded(imports.use('writeFormBody'), fieldWriters(media, imports));
    case 'multipart':
      return printEncoded(imports.use('writeMultipart'), partTypes(media));
    case 'text':
      return imports.use(isFile(media, api) ? 'writeBinary' : 'writeText');
    case 'any':
      return isDescribed(media, api)
        ? `(body) => ${imports.use('writeJson')}(body, 'application/json')`
        : imports.use('writeBinary');
    default:
      return imports.use('writeBinary');
  }
}

function printEncoded(writer: string, entries: RecordEntries): string {
  const encoding = printRecord(entries, '    ');
  return encoding === undefined ? writer : `(body, type) => ${writer}(body, type, ${encoding})`;
}

function fieldWriters({ encoding }: MediaType, imports: RuntimeImports): RecordEntries {
  return [...encoding].flatMap(([name, how]) => {
    const isJson = how.contentType !== undefined && mediaKind(how.contentType) === 'json';
    const writer = isJson ? 'writeJsonPair' : choosePairWriter(how, true);
    const encoder = how.allowReserved ? 'encodeReserved' : undefined;
    if (writer === undefined && encoder === undefined) return [];
    const local = imports.use(writer ?? 'writeForm');
    return [
      [name, encoder === undefined ? local : `(key, value) => ${local}(key, value, ${imports.use(encoder)})`] as const,
    ];
  });
}

/** Where several types are allowed, the first is taken for values that have none of their own. */
function partTypes({ encoding }: MediaType): RecordEntries {
  return [...encoding].flatMap(([name, { contentType }]) => {
    const first = contentType?.split(',', 1)[0]?.trim() ?? '';
    return first === '' || first.includes('*') ? [] : [[name, toStringLiteral(first)] as const];
  });
}
