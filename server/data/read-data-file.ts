import path from 'node:path';

import { InputError, type InputPlace } from '../../model/diagnostics/input-error.js';
import { createLocator } from '../../model/diagnostics/locate.js';
import { parseFile } from '../../model/document/parse-file.js';
import { appendPointer } from '../../model/document/pointer.js';
import { readTextFile } from '../../model/document/read-input-file.js';
import { isRecord } from '../../model/document/records.js';
import { parseExactJson, stringifyExactJson } from '../../runtime/json-integers.js';
import { type GivenCollection, placeInLines } from './given-data.js';

/**
 * Reads a file of start data. JSON and YAML have a map from collections to lists of items, or one list; CSV and NDJSON
 * have the items of one collection. A file with one collection is named like it: `customers.csv`.
 *
 * @throws InputError with file, line and JSON pointer if it cannot be read.
 */
export async function readDataFile(file: string): Promise<readonly GivenCollection[]> {
  return readDataText(await readTextFile(file, 'The data'), file);
}

/**
 * Reads the text of a file of start data.
 *
 * @throws InputError with file, line and JSON pointer if it cannot be read.
 */
export async function readDataText(text: string, file: string): Promise<readonly GivenCollection[]> {
  const kind = path.extname(file).toLowerCase();
  if (kind === '.csv' || kind === '.tsv') {
    const { readCsv } = await import('./read-csv.js');
    return [await readCsv(text, { file, name: nameOf(file), delimiter: kind === '.tsv' ? '\t' : ',' })];
  }
  if (kind === '.ndjson' || kind === '.jsonl') return [readLines(text, file)];
  return readMap(text, file);
}

/** `customers` for `data/customers.csv`. */
function nameOf(file: string): string {
  return path.basename(file, path.extname(file));
}

function readMap(text: string, file: string): readonly GivenCollection[] {
  if (text.trim() === '') throw new InputError('The data cannot be read: the file is empty.', { file });
  const parsed = parseFile(file, text, { isExact: true });
  if (!parsed.ok) {
    const { code: _, message, ...place } = parsed.problem;
    throw new InputError(`The data cannot be read: ${message.replace(/^The/, 'the')}`, { file, ...place });
  }
  const { refusal } = parsed.survey;
  if (refusal !== undefined) throw new InputError(`The data cannot be read: ${refusal.message}`, { file });
  const locate = createLocator(text);
  const placeOf = (pointer: string): InputPlace => ({ file, ...locate(pointer), pointer });
  if (Array.isArray(parsed.value)) return [collection(nameOf(file), parsed.value, { pointer: '', placeOf })];
  if (!isRecord(parsed.value))
    throw new InputError('The data must be a map from collections to lists of items, or a list of items.', {
      file,
      ...locate(''),
      pointer: '',
    });
  return givenIn(parsed.value, placeOf);
}

/**
 * Reads a map from collections to lists of items. A single object stands for a list with it.
 *
 * @throws InputError if a member is no list of items; without `placeOf`, with the pointer alone.
 */
export function givenIn(
  value: Readonly<Record<string, unknown>>,
  placeOf?: (pointer: string) => InputPlace,
): readonly GivenCollection[] {
  return Object.entries(value).map(([name, items]) => {
    const pointer = appendPointer('', name);
    if (Array.isArray(items))
      return collection(name, items, { pointer, ...(placeOf === undefined ? {} : { placeOf }) });
    if (isRecord(items))
      return {
        ...collection(name, [items], { pointer, ...(placeOf === undefined ? {} : { placeOf }) }),
        pointerOf: () => pointer,
      };
    throw new InputError(`The collection ${stringifyExactJson(name)} must be a list of items.`, {
      ...(placeOf?.(pointer) ?? { pointer }),
    });
  });
}

function collection(
  name: string,
  items: readonly unknown[],
  { pointer, placeOf }: { readonly pointer: string; readonly placeOf?: (pointer: string) => InputPlace },
): GivenCollection {
  return {
    name,
    items,
    isText: false,
    pointerOf: (index) => (index === undefined ? pointer : appendPointer(pointer, index)),
    ...(placeOf === undefined ? {} : { placeOf }),
  };
}

/** Reads NDJSON: one item on each line. Empty lines are skipped. */
function readLines(text: string, file: string): GivenCollection {
  const items: unknown[] = [];
  const lines: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    items.push(readLine(line, { file, line: index + 1 }));
    lines.push(index + 1);
  }
  return {
    ...collection(nameOf(file), items, { pointer: '' }),
    placeOf: (pointer) => placeInLines(file, pointer, lines),
  };
}

function readLine(text: string, place: InputPlace): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw new InputError('The data cannot be read: this line is not JSON.', place);
  }
}
