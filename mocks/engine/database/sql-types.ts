import { isRecord } from 'specmill/mock';

import type { Column, ColumnType } from '../columns/column.js';

/** Types by their first word in SQL, in lower case without digits at the end. */
const TYPES: Readonly<Record<string, ColumnType>> = {
  ...entries('byte', 'tinyint utinyint tinyintunsigned'),
  ...entries('short', 'smallint int2 smallintunsigned smallserial serial2'),
  ...entries(
    'int',
    'int integer int4 mediumint signed unsigned intunsigned integerunsigned mediumintunsigned serial serial4 year',
  ),
  ...entries('long', 'bigint int8 bigserial serial8 bigintunsigned hugeint int64'),
  ...entries('single', 'real float4'),
  ...entries('float', 'float double doubleprecision float8 float64'),
  ...entries('decimal', 'decimal numeric dec bignumeric bigdecimal money smallmoney number'),
  ...entries('boolean', 'boolean bool bit'),
  ...entries(
    'datetime',
    'datetime datetime2 datetimeoffset smalldatetime timestamp timestamptz timestampntz datetime64',
  ),
  ...entries('date', 'date date32'),
  ...entries('time', 'time timetz'),
  ...entries('uuid', 'uuid uniqueidentifier'),
  ...entries('bytes', 'binary varbinary blob tinyblob mediumblob longblob bytea bytes image rowversion'),
  ...entries(
    'text',
    'char character charactervarying charvarying varchar nvarchar nchar text ntext tinytext mediumtext longtext clob string xml citext enum set uuidtext interval sysname characterlargeobject charlargeobject',
  ),
};

function entries(type: ColumnType, words: string): Readonly<Record<string, ColumnType>> {
  return Object.fromEntries(words.split(' ').map((word) => [word, type]));
}

/** Reads a type of the parser: `"Uuid"`, `{ "Int": null }`, `{ "Nvarchar": { … } }`, `{ "Custom": [name, arguments] }`. */
export function readSqlType(node: unknown): Pick<Column, 'type' | 'maxLength' | 'values' | 'isGenerated'> {
  const [word, details] = readWord(node);
  const type = Object.hasOwn(TYPES, word) ? (TYPES[word] ?? 'any') : 'any';
  const isFlag = word === 'tinyint' && details === 1;
  const maxLength = type === 'text' ? lengthOf(details) : undefined;
  const values = word === 'enum' ? namesOf(details) : undefined;
  return {
    type: isFlag ? 'boolean' : type,
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(values === undefined ? {} : { values }),
    ...(/serial/.test(word) ? { isGenerated: true } : {}),
  };
}

function readWord(node: unknown): readonly [word: string, details: unknown] {
  if (typeof node === 'string') return [node.toLowerCase(), undefined];
  if (!isRecord(node)) return ['', undefined];
  const [entry] = Object.entries(node);
  const [key, details] = entry ?? ['', undefined];
  if (key !== 'Custom' || !Array.isArray(details)) return [key.toLowerCase(), details];
  const [parts, given] = details as readonly unknown[];
  const last: unknown = Array.isArray(parts) ? parts.at(-1) : undefined;
  const name = isRecord(last) && isRecord(last['Identifier']) ? String(last['Identifier']['value']) : '';
  return [name.toLowerCase(), given];
}

function lengthOf(details: unknown): number | undefined {
  if (Array.isArray(details)) return /^\d+$/.test(String(details[0])) ? Number(details[0]) : undefined;
  const given =
    isRecord(details) && isRecord(details['IntegerLength']) ? details['IntegerLength']['length'] : undefined;
  return typeof given === 'number' ? given : undefined;
}

function namesOf(details: unknown): readonly string[] | undefined {
  const list: unknown = Array.isArray(details) ? details[0] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((one) => (isRecord(one) && typeof one['Name'] === 'string' ? [one['Name']] : []));
}
