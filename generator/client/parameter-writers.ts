import { followRefs } from '../../schema/facts/parts.js';
import type { Api, MediaType, Operation, Parameter, ParameterLocation } from '../../model/api.js';
import type { ValueTypes } from '../../config/config-types.js';
import type { Schema } from '../../model/schema-types.js';
import { encoderOf, fieldWriterOf, pairWriterOf, textWriterOf } from '../../model/parameter-writer.js';
import { mediaKind } from '../media-kind.js';
import { convertsValues } from '../types/value-types.js';
import { isConverted } from './print-codecs.js';
import { printRecord, type RecordEntries } from './print-record.js';
import type { RuntimeImports } from './runtime-imports.js';

interface WriterScope {
  readonly api: Api;
  readonly imports: RuntimeImports;
  readonly types?: ValueTypes | undefined;
}

/** Whether a parameter is JSON that its codec writes, because it has integers beyond the precision of a number. */
export function isExactJson(
  { mediaType, schema }: Parameter,
  { api, types }: Pick<WriterScope, 'api' | 'types'>,
): boolean {
  if (mediaType === undefined || mediaKind(mediaType) !== 'json' || !convertsValues(types)) return false;
  return types.int64 !== 'number' && isConverted(schema, api, types);
}

/** The writers of the parameters of one location that do not have its default style. */
export function parameterWriters(operation: Operation, location: ParameterLocation, scope: WriterScope): RecordEntries {
  const { api, imports } = scope;
  return operation.parameters
    .filter((parameter) => parameter.in === location || (parameter.in === 'querystring' && location === 'query'))
    .flatMap((parameter) => {
      const isText = isExactJson(parameter, scope);
      if (parameter.in === 'querystring')
        return [
          [parameter.name, isText ? imports.use('writeTextQuery') : querystringWriter(parameter, imports)] as const,
        ];
      const writer = isText ? undefined : chooseWriter(parameter, api);
      const encoder = encoderOf(parameter);
      if (writer === undefined && encoder === undefined) return [];
      const name = imports.use(writer ?? DEFAULT_WRITER[location]);
      return [
        [
          parameter.name,
          encoder === undefined ? name : `(name, value) => ${name}(name, value, ${imports.use(encoder)})`,
        ] as const,
      ];
    });
}

/** The whole query as one document (OpenAPI 3.2): a form, JSON or a text. */
function querystringWriter({ mediaType = '', encoding = new Map() }: Parameter, imports: RuntimeImports): string {
  const kind = mediaKind(mediaType);
  if (kind === 'json') return imports.use('writeJsonQuery');
  if (kind !== 'form') return imports.use('writeTextQuery');
  const writers = printRecord(fieldWriters({ encoding }, imports), '    ');
  const write = imports.use('writePairs');
  return writers === undefined ? `(_name, value) => ${write}(value)` : `(_name, value) => ${write}(value, ${writers})`;
}

/** The writers of form fields that do not have the default style. */
export function fieldWriters({ encoding }: Pick<MediaType, 'encoding'>, imports: RuntimeImports): RecordEntries {
  return [...encoding].flatMap(([name, how]) => {
    const writer = fieldWriterOf(how);
    const encoder = how.allowReserved ? 'encodeReserved' : undefined;
    if (writer === 'writeForm' && encoder === undefined) return [];
    const local = imports.use(writer);
    return [
      [name, encoder === undefined ? local : `(key, value) => ${local}(key, value, ${imports.use(encoder)})`] as const,
    ];
  });
}

const DEFAULT_WRITER: Readonly<Record<ParameterLocation, string>> = {
  path: 'writeSimple',
  header: 'writeSimple',
  query: 'writeForm',
  querystring: 'writeForm',
  cookie: 'writeForm',
};

/** Styles that write a scalar in another way than the default style. */
const STYLES_OF_SCALARS: ReadonlySet<string> = new Set(['label', 'matrix', 'cookie']);

function chooseWriter(parameter: Parameter, api: Api): string | undefined {
  const { in: location, style, schema, mediaType } = parameter;
  const writer = location === 'query' || location === 'cookie' ? pairWriterOf(parameter) : textWriterOf(parameter);
  const isNeeded = mediaType !== undefined || STYLES_OF_SCALARS.has(style) || mayHaveParts(schema, api);
  return isNeeded && writer !== DEFAULT_WRITER[location] ? writer : undefined;
}

const SINGLE_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Whether a value can be a list or an object. */
function mayHaveParts(schema: Schema, api: Api): boolean {
  const resolved = followRefs(schema, api);
  const values = resolved?.const === undefined ? resolved?.enum : [resolved.const];
  if (values !== undefined) return values.some((value) => typeof value === 'object' && value !== null);
  const { type } = resolved ?? {};
  return type === undefined || [type].flat().some((one) => !SINGLE_TYPES.has(one));
}
