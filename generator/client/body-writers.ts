import { groupPairs } from '../../model/maps.js';
import type { ValueTypes } from '../../config/config-types.js';
import type { Api, Encoding, MediaType, Operation } from '../../model/api.js';
import { toStringLiteral } from '../../model/identifiers.js';
import type { ItemPlan, PartPlan, PartTypes } from '../../runtime/items.js';
import { itemValue, partType, schemaOfPart, type XmlPart } from '../../schema/item-value.js';
import { bodyForm, isItemStream, mediaKind, mediaTypeEssence, orderContent, xmlBodyPlan } from '../media-kind.js';
import { convertsValues } from '../types/value-types.js';
import { type CodecPrinter, isConverted, printCodec } from './print-codecs.js';
import { fieldWriters } from './parameter-writers.js';
import { printValue } from '../fixtures/print-value.js';
import { printList, printRecord, type RecordEntries } from './print-record.js';
import type { RuntimeImports } from './runtime-imports.js';

/** The writers of a request's body by media type, the default one first. */
export function bodyWriters(operation: Operation, scope: Omit<WriterScope, 'content'>): RecordEntries {
  const content = operation.body?.content ?? [];
  return orderContent(content).map(
    (media) => [media.mediaType, printBodyWriter(media, { ...scope, content })] as const,
  );
}

interface WriterScope {
  readonly api: Api;
  readonly imports: RuntimeImports;
  readonly types?: ValueTypes | undefined;
  /** All media types of the body. */
  readonly content: readonly MediaType[];
}

function printBodyWriter(media: MediaType, { api, imports, types, content }: WriterScope): string {
  const exact = convertsValues(types) && types.int64 !== 'number' ? types : undefined;
  const form = bodyForm(media, content, api);
  switch (form.kind) {
    case 'xml':
      return `${imports.use('writeXml')}(${printValue(form.plan, '    ')})`;
    case 'items':
    case 'parts': {
      const plan = form.kind === 'items' ? itemValue(api, form.media).plan : form.plan;
      return `${imports.use('writeItems')}(${printPlan(plan, exactJson(exact, imports), imports)})`;
    }
    case 'json':
      return imports.use(
        exact !== undefined && isConverted(media.schema ?? true, api, exact) ? 'writeTypedJson' : 'writeJson',
      );
    case 'form':
      return printEncoded(imports.use('writeFormBody'), fieldWriters(media, imports));
    case 'multipart':
      return printEncoded(imports.use('writeMultipart'), partTypes(media, { api, imports }));
    case 'text':
      return imports.use('writeText');
    case 'any':
      return `(body) => ${imports.use('writeJson')}(body, 'application/json')`;
    default:
      return imports.use('writeBinary');
  }
}

function printEncoded(writer: string, entries: RecordEntries): string {
  const encoding = printRecord(entries, '    ');
  return encoding === undefined ? writer : `(body, type) => ${writer}(body, type, ${encoding})`;
}

type PartScope = Pick<WriterScope, 'api' | 'imports'>;

/** The content types of parts; a part that is itself a list of parts, a form or XML has a writer (OpenAPI 3.2). */
function partTypes({ encoding, schema }: Pick<MediaType, 'encoding' | 'schema'>, scope: PartScope): RecordEntries {
  return [...encoding].flatMap(([name, how]) => {
    const part = partType(scope.api, how, schemaOfPart(scope.api, schema, name));
    if (part === undefined) return [];
    return [[name, typeof part === 'string' ? printPartType(part, how, scope) : printPartWriter(part, scope)] as const];
  });
}

function printPartWriter(part: PartPlan | XmlPart, { imports }: PartScope): string {
  const type = toStringLiteral(part.type);
  if ('xml' in part) return `(value) => ${imports.use('writeXml')}(${printValue(part.xml, '    ')})(value, ${type})`;
  return `(value) => ${imports.use('writePartList')}(${printPartTypes(part.partTypes, imports)})(value, ${type})`;
}

/** The types of parts by position, as code. */
function printPartTypes(types: PartTypes | undefined, imports: RuntimeImports): string {
  const printed = (types ?? []).map((part) => {
    if (part === undefined) return 'undefined';
    if (typeof part === 'string') return toStringLiteral(part);
    const type = toStringLiteral(part.type);
    if ('xml' in part) return `${imports.use('xmlPart')}(${type}, ${printValue(part.xml, '    ')})`;
    return `{ type: ${type}, partTypes: ${printPartTypes(part.partTypes, imports)} }`;
  });
  return `[${printed.join(', ')}]`;
}

function printPartType(type: string, { nested }: Encoding, scope: PartScope): string {
  const { imports } = scope;
  const [literal, inner] = [toStringLiteral(type), { encoding: nested?.encoding ?? new Map<string, Encoding>() }];
  const kind = mediaKind(type);
  const isForm = kind === 'form' || mediaTypeEssence(type) === 'multipart/form-data';
  if (!isForm) return literal;
  const entries = kind === 'form' ? fieldWriters(inner, imports) : partTypes(inner, scope);
  const encodings = printRecord(entries, '      ');
  const writer = imports.use(kind === 'form' ? 'writeFormBody' : 'writeMultipart');
  return `(value) => ${writer}(value, ${literal}${encodings === undefined ? '' : `, ${encodings}`})`;
}

/** Prints the plan by which items are encoded. */
function printPlan(
  { format, jsonEvents, partTypes: types = [] }: ItemPlan,
  functions: readonly string[],
  imports: RuntimeImports,
): string {
  const events = typeof jsonEvents === 'object' ? printList(jsonEvents) : jsonEvents && String(jsonEvents);
  const members = [
    `format: ${toStringLiteral(format)}`,
    ...(events === undefined ? [] : [`jsonEvents: ${events}`]),
    ...(types.length === 0 ? [] : [`partTypes: ${printPartTypes(types, imports)}`]),
    ...functions,
  ];
  return `{ ${members.join(', ')} }`;
}

interface ReaderScope {
  readonly api: Api;
  readonly imports: RuntimeImports;
  /** Set if values are converted. */
  readonly codecs?: CodecPrinter | undefined;
}

/** The member of a plan that reads integers of any size. */
function exactParser(types: ValueTypes | undefined, imports: RuntimeImports): readonly string[] {
  return types === undefined || types.int64 === 'number' ? [] : [`parse: ${imports.use('parseExactJson')}`];
}

/** The members of a plan that read and write integers of any size. */
function exactJson(types: ValueTypes | undefined, imports: RuntimeImports): readonly string[] {
  const parser = exactParser(types, imports);
  return parser.length === 0 ? [] : [...parser, `stringify: ${imports.use('stringifyExactJson')}`];
}

/** The readers of responses that are streams of items, by media type. Failures are never streams. */
export function itemReaders({ responses }: Operation, { api, imports, codecs }: ReaderScope): RecordEntries {
  const streams = responses
    .filter(({ status }) => !/^[45]/.test(status))
    .flatMap(({ content }) => content)
    .filter(isItemStream);
  const items = new Map(streams.map((media) => [mediaTypeEssence(media.mediaType), itemValue(api, media)] as const));
  return [...items].map(([type, { plan, schema }]) => {
    const codec = codecs === undefined ? undefined : printCodec(schema, codecs);
    if (codec === undefined) return [type, `${imports.use('readItems')}(${printPlan(plan, [], imports)})`] as const;
    const functions = exactParser(codecs?.types, imports);
    return [type, `${imports.use('readTypedItems')}(${printPlan(plan, functions, imports)}, ${codec})`] as const;
  });
}

/** The readers of responses that are XML, by media type. */
export function xmlReaders(
  { responses }: Operation,
  { api, imports }: { readonly api: Api; readonly imports: RuntimeImports },
): RecordEntries {
  const plans = groupPairs(
    responses.flatMap(({ status, content }) =>
      content.map((media) => {
        const plan = xmlBodyPlan(media, content, api);
        return [mediaTypeEssence(media.mediaType), [status, plan && printValue(plan, '    ')] as const] as const;
      }),
    ),
  );
  return [...plans].flatMap(([type, found]) => {
    const code = printXmlReader(found, imports);
    return code === undefined ? [] : [[type, code] as const];
  });
}

/** Prints one reader for all statuses if their XML is the same. */
function printXmlReader(
  plans: readonly (readonly [status: string, plan: string | undefined])[],
  imports: RuntimeImports,
): string | undefined {
  const [[, first] = []] = plans;
  if (first !== undefined && plans.every(([, plan]) => plan === first)) return `${imports.use('readXml')}(${first})`;
  const entries = plans.flatMap(([status, plan]) => (plan === undefined ? [] : [[status, plan] as const]));
  const printed = printRecord(entries, '    ');
  return printed === undefined ? undefined : `${imports.use('readXmlByStatus')}(${printed})`;
}
