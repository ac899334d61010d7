import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { schemasOfMember } from '../../schema/decode-hints.js';
import { type ApplicableSchemas, type Respell, createRespell } from './lenient-spelling.js';

/**
 * Creates a reader that renames members to camelCase. Returns `undefined` unless the API has the extension
 * `x-member-names: { accept: [camelCase, snake_case] }`. Objects whose schema has `x-member-names: verbatim` keep their
 * names.
 *
 * @example memberRenamer(api)?.({ file_data: { mime_type: 'video/mp4' } }, schema) // { fileData: { mimeType: 'video/mp4' } }
 */
export function memberRenamer(api: Api): Respell | undefined {
  const rule = api.extensions['x-member-names'] as { accept?: unknown } | undefined;
  if (!Array.isArray(rule?.accept) || !rule.accept.includes('snake_case')) return undefined;
  return createRespell(api, {
    namesOf: (parts) => (isVerbatim(parts) ? (name) => name : (name) => toCamelCase(name, parts)),
    membersOf: (parts, name) => (isVerbatim(parts) ? otherMembers(parts) : schemasOfMember(parts, name)),
    // Data without a schema has no names of the API.
    isData: (outer, inner) => isVerbatim(outer) && inner.length === 0,
    isEmptyObject: () => false,
  });
}

function isVerbatim(parts: ApplicableSchemas): boolean {
  return parts.some((part) => part['x-member-names'] === 'verbatim');
}

/** Returns the schemas of `additionalProperties`. In data, only their values have names of the API. */
function otherMembers(parts: ApplicableSchemas): readonly Schema[] {
  return parts.flatMap(({ additionalProperties }) =>
    typeof additionalProperties === 'object' ? [additionalProperties] : [],
  );
}

/** Converts a name to camelCase, unless the spec itself has this name. */
function toCamelCase(name: string, parts: ApplicableSchemas): string {
  if (!name.includes('_', 1)) return name;
  if (parts.some(({ properties }) => properties !== undefined && Object.hasOwn(properties, name))) return name;
  // Without a regular expression, because a body may have tens of thousands of names.
  let read = '';
  let copied = 0;
  for (let at = name.indexOf('_', 1); at !== -1; at = name.indexOf('_', at + 1)) {
    const start = at;
    while (name[at + 1] === '_') at += 1;
    const next = name[at + 1];
    // Keeps underscores at the start and at the end.
    if (next === undefined || !/[a-z0-9]/i.test(next) || name[start - 1] === '_') continue;
    read += name.slice(copied, start) + next.toUpperCase();
    copied = at + 2;
    at += 1;
  }
  return read + name.slice(copied);
}
