import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { memberSchemas } from './decode-hints.js';
import { type Parts, type Respell, createRespell } from './respell.js';

/**
 * The reader of member names that an API asks for by its extension `x-member-names: { accept: [camelCase, snake_case] }`;
 * `undefined` if it does not. Objects whose schema carries `x-member-names: verbatim` keep their own names.
 *
 * @example memberRenamer(api)?.({ file_data: { mime_type: 'video/mp4' } }, schema) // { fileData: { mimeType: 'video/mp4' } }
 */
export function memberRenamer(api: Api): Respell | undefined {
  const rule = api.extensions['x-member-names'] as { accept?: unknown } | undefined;
  if (!Array.isArray(rule?.accept) || !rule.accept.includes('snake_case')) return undefined;
  return createRespell(api, {
    namesOf: (parts) => (isVerbatim(parts) ? (name) => name : (name) => toCamelCase(name, parts)),
    membersOf: (parts, name) => (isVerbatim(parts) ? otherMembers(parts) : memberSchemas(parts, name)),
    // Under data without a schema there are no names of the API.
    isData: (outer, inner) => isVerbatim(outer) && inner.length === 0,
    isEmptyObject: () => false,
  });
}

function isVerbatim(parts: Parts): boolean {
  return parts.some((part) => part['x-member-names'] === 'verbatim');
}

/** Of data, only the values that `additionalProperties` describes have names of the API. */
function otherMembers(parts: Parts): readonly Schema[] {
  return parts.flatMap(({ additionalProperties }) =>
    typeof additionalProperties === 'object' ? [additionalProperties] : [],
  );
}

/** A name that the document itself writes so stays. */
function toCamelCase(name: string, parts: Parts): string {
  if (!name.includes('_', 1)) return name;
  if (parts.some(({ properties }) => properties !== undefined && Object.hasOwn(properties, name))) return name;
  // By hand: a body may have tens of thousands of names.
  let read = '';
  let copied = 0;
  for (let at = name.indexOf('_', 1); at !== -1; at = name.indexOf('_', at + 1)) {
    const start = at;
    while (name[at + 1] === '_') at += 1;
    const next = name[at + 1];
    // Underscores at the start and at the end stay.
    if (next === undefined || !/[a-z0-9]/i.test(next) || name[start - 1] === '_') continue;
    read += name.slice(copied, start) + next.toUpperCase();
    copied = at + 2;
    at += 1;
  }
  return read + name.slice(copied);
}
