import type { Api, ApiResponse, Header, Operation } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { resolveSchema } from '../types/type-scope.js';
import type { RecordEntries } from './print-record.js';
import type { RuntimeImports } from './runtime-imports.js';

/** The `Accept` header: the media types of the successes; `undefined` for the runtime's own default, JSON. */
export function acceptOf({ responses }: Operation): string | undefined {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  const described = successes.length > 0 ? successes : responses.filter(({ status }) => status === 'default');
  const types = new Set(described.flatMap(({ content }) => content.map(({ mediaType }) => mediaType.replace(/;\s*charset=[^;]*/i, ''))));
  const accept = types.size === 0 ? '*/*' : [...types].join(', ');
  return accept === 'application/json' ? undefined : accept;
}

const REDIRECTS: readonly number[] = [300, 301, 302, 303, 304, 305, 307, 308];

/** Documented statuses from 300 to 399. */
export function answersOf({ responses }: Operation): number[] {
  return responses.filter(({ status }) => status.startsWith('3')).flatMap(({ status }) => (/^\d+$/.test(status) ? [Number(status)] : REDIRECTS));
}

/** An operation whose only documented success is a redirect answers it; others follow it, for what lies behind it is the success. */
export function isRedirectAnswer(operation: Operation): boolean {
  return answersOf(operation).some((status) => status !== 304) && !operation.responses.some(({ status }) => status.startsWith('2'));
}

/** Documented failures, numbers where they are numbers. */
export function failuresOf({ responses }: Operation): (number | string)[] {
  return responses
    .map(({ status }) => status)
    .filter((status) => /^[45]|^default$/.test(status))
    .map((status) => (/^\d+$/.test(status) ? Number(status) : status));
}

/** The readers of response headers that are not plain text, by lower-case name. */
export function headerReaders({ responses }: Operation, { api, imports }: { readonly api: Api; readonly imports: RuntimeImports }): RecordEntries {
  const readers = new Map<string, string>();
  for (const header of responses.flatMap((response: ApiResponse) => response.headers)) {
    const reader = printReader(header, api, imports);
    if (reader !== undefined) readers.set(header.name.toLowerCase(), reader);
  }
  return [...readers];
}

function printReader({ mediaType, schema }: Header, api: Api, imports: RuntimeImports): string | undefined {
  if (mediaType !== undefined) return /[/+]json\b/i.test(mediaType) ? imports.use('readJson') : undefined;
  const resolved = resolveSchema(api, schema);
  if (resolved?.type !== 'array') return printItemReader(schema, api, imports);
  const item = resolved.items === undefined ? undefined : printItemReader(resolved.items, api, imports);
  return `${imports.use('readList')}(${item ?? 'String'})`;
}

function printItemReader(schema: Schema, api: Api, imports: RuntimeImports): string | undefined {
  const type = resolveSchema(api, schema)?.type;
  if (type === 'number' || type === 'integer') return imports.use('readNumber');
  return type === 'boolean' ? imports.use('readBoolean') : undefined;
}
