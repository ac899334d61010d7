import { CsvError, parse } from 'csv-parse/sync';

import { InputError } from '../../model/diagnostics/input-error.js';
import { appendPointer } from '../../model/document/pointer.js';
import { setMember } from '../../model/document/records.js';
import { type GivenCollection, placeInLines } from './given-data.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** The most characters of one record, so that an open quote does not swallow a large file. */
const MAX_RECORD = 1_000_000;

/** A text of separated values, and the file that it comes from. */
interface CsvSource {
  readonly text: string;
  readonly file: string;
  readonly delimiter: string;
}

/**
 * Reads CSV (RFC 4180) whose first record has the names of the columns. An empty cell is no value.
 *
 * @throws InputError with the line if it is malformed, or a column has no name or that of another.
 */
export async function readCsv(
  text: string,
  { file, name, delimiter }: { readonly file: string; readonly name: string; readonly delimiter: string },
): Promise<GivenCollection> {
  const source = { text, file, delimiter };
  // Cast: without the option `info`, a row is a record.
  const [header, ...records] = parseRows(source) as readonly (readonly string[])[];
  if (header === undefined) throw new InputError('The data cannot be read: the file is empty.', { file });
  const columns = header.map((column) => column.trim());
  checkColumns(columns, file);
  const items = records.map((record) => {
    const item: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) {
      const cell = record[index];
      if (cell !== undefined && cell !== '') setMember(item, column, cell);
    }
    return item;
  });
  let lines: readonly number[] | undefined;
  return {
    name,
    items,
    isText: true,
    pointerOf: (index) => (index === undefined ? '' : appendPointer('', index)),
    placeOf: (pointer) => placeInLines(file, pointer, (lines ??= findLines(source))),
  };
}

/**
 * Returns the first line of each record after the header. Records are parsed again for it, because their lines take
 * several times as long as the records themselves, and only messages need them.
 */
function findLines(source: CsvSource): readonly number[] {
  // Cast: with the option `info`, a row has the number of its last line.
  const rows = parseRows(source, { info: true }) as readonly { readonly info: { readonly lines: number } }[];
  // A record that has quoted line breaks starts on the line after the previous one.
  return rows.slice(0, -1).map(({ info }) => info.lines + 1);
}

function parseRows({ text, file, delimiter }: CsvSource, options: { readonly info?: true } = {}): readonly unknown[] {
  try {
    return parse(text, {
      ...options,
      delimiter,
      bom: true,
      // The package would look for it at each character of the first line.
      record_delimiter: text.includes('\n') ? ['\r\n', '\n'] : '\r',
      skip_empty_lines: true,
      relax_quotes: false,
      max_record_size: MAX_RECORD,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? { line: error['lines'] } : {};
    throw new InputError(`The data cannot be read: ${reasonOf(error)}.`, { file, ...line }, { cause: error });
  }
}

/** The messages of the package name its options. */
function reasonOf({ code, message }: CsvError): string {
  return REASONS[code] ?? message.replace(/\.$/, '');
}

const REASONS: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'this record has another number of cells than the first one',
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote must be followed by a comma or the end of the line',
  INVALID_OPENING_QUOTE: 'a quote is inside a cell that does not start with one',
  CSV_MAX_RECORD_SIZE: `a record has more than ${MAX_RECORD.toLocaleString('en-GB')} characters`,
};

function checkColumns(columns: readonly string[], file: string): void {
  const empty = columns.indexOf('');
  if (empty !== -1)
    throw new InputError(`The data cannot be read: column ${empty + 1} has no name.`, { file, line: 1 });
  const known = new Set<string>();
  const repeated = columns.find((column) => known.size === known.add(column).size);
  if (repeated !== undefined)
    throw new InputError(`The data cannot be read: two columns are named ${stringifyExactJson(repeated)}.`, {
      file,
      line: 1,
    });
}
