import type { MediaType, Operation, Parameter } from '../../model/api.js';
import { itemValue } from '../../schema/item-value.js';
import { type BodyForm, bodyForm } from '../media-kind.js';
import { groupParameters } from '../request-values.js';
import { isExactJson } from './parameter-writers.js';
import { type CodecPrinter, printCodec } from './print-codecs.js';
import { printRecord, type RecordEntries } from './print-record.js';

/** The codecs of the values of a call and of its responses: `CallCodecs` in `runtime/typed-calls.ts`. */
export function printCallCodecs(operation: Operation, printer: CodecPrinter): string | undefined {
  const request = printRequestCodec(operation, printer);
  const responses = printRecord(printResponseCodecs(operation, printer), '    ');
  if (request === undefined && responses === undefined) return undefined;
  const isExact = printer.types.int64 !== 'number' && responses !== undefined;
  const entries: RecordEntries = [
    ...(request === undefined ? [] : [['request', request] as const]),
    ...(responses === undefined ? [] : [['responses', responses] as const]),
    ...(isExact ? [['parse', printer.use('parseExactJson')] as const] : []),
  ];
  return printRecord(entries, '  ');
}

/** The codecs of the data of responses, by status. */
export function printResponseCodecs({ responses }: Operation, printer: CodecPrinter): RecordEntries {
  return responses.flatMap(({ status, content }) => {
    const code = joinCodecs(
      content.map((media) => printReceived(media, content, printer)),
      printer,
    );
    return code === undefined ? [] : [[status, code] as const];
  });
}

/** The codecs of the items of streamed responses, by status. */
export function printItemCodecs({ responses }: Operation, printer: CodecPrinter): RecordEntries {
  return responses.flatMap(({ status, content }) => {
    const code = joinCodecs(
      content.map((media) => printItem(media, content, printer)),
      printer,
    );
    return code === undefined ? [] : [[status, code] as const];
  });
}

function printItem(media: MediaType, content: readonly MediaType[], printer: CodecPrinter): string | undefined {
  const form = bodyForm(media, content, printer.api);
  return form.kind === 'items' ? printCodec(itemValue(printer.api, form.media).schema, printer) : undefined;
}

/** The codec of the values of a request, by group. */
export function printRequestCodec(operation: Operation, printer: CodecPrinter): string | undefined {
  const groups: RecordEntries = groupParameters(operation).flatMap(([group, parameters]) => {
    const own: RecordEntries = parameters.flatMap((parameter) => {
      const code = printParameter(parameter, printer);
      return code === undefined ? [] : [[parameter.name, code] as const];
    });
    const record = printRecord(own, '      ');
    return record === undefined ? [] : [[group, `${printer.use('members')}(${record})`] as const];
  });
  const content = operation.body?.content ?? [];
  const ofBody = joinCodecs(
    content.map((media) => printSent(media, content, printer)),
    printer,
  );
  const record = printRecord([...groups, ...(ofBody === undefined ? [] : [['body', ofBody] as const])], '    ');
  return record === undefined ? undefined : `${printer.use('members')}(${record})`;
}

function printParameter(parameter: Parameter, printer: CodecPrinter): string | undefined {
  const code = printCodec(parameter.schema, printer);
  if (code === undefined || printer.isRead === true || !isExactJson(parameter, printer)) return code;
  return `${printer.use('jsonText')}(${code}, ${printer.use('stringifyExactJson')})`;
}

/**
 * Joins the codecs of several media types, which usually have the same schema. If not, each converts the values that
 * fit it.
 */
function joinCodecs(codes: readonly (string | undefined)[], { use }: CodecPrinter): string | undefined {
  const own = [...new Set(codes.filter((code) => code !== undefined))];
  if (own.length <= 1) return own[0];
  return `${use('choice')}(${own.map((code) => `{ codec: ${code} }`).join(', ')})`;
}

function printSent(media: MediaType, content: readonly MediaType[], printer: CodecPrinter): string | undefined {
  const form = bodyForm(media, content, printer.api);
  if (form.kind !== 'items') return DATA.has(form.kind) ? printCodec(media.schema, printer) : undefined;
  const item = printItem(media, content, printer);
  return item === undefined ? undefined : `${printer.use('each')}(${item})`;
}

/** Prints the codec of received data. The items of a stream are converted as they are read. */
function printReceived(media: MediaType, content: readonly MediaType[], printer: CodecPrinter): string | undefined {
  return DATA.has(bodyForm(media, content, printer.api).kind) ? printCodec(media.schema, printer) : undefined;
}

/** The forms of bodies whose values the client reads and writes as a whole. */
const DATA: ReadonlySet<BodyForm['kind']> = new Set(['json', 'form', 'multipart', 'any', 'xml', 'parts']);
