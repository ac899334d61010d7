import { splitPointer } from '../../model/document/pointer.js';

/** The JSONPath (RFC 9535) of the place that a JSON pointer names. */
export function toJsonPath(pointer: string): string {
  const segments = splitPointer(pointer);
  return `$${segments.map((segment, index) => toStep(segment, segments[index - 1])).join('')}`;
}

/** The members of a spec that are lists. Others, such as `responses`, may have names that look like indexes. */
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'parameters']);

function toStep(segment: string, before: string | undefined): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(segment)) return `.${segment}`;
  if (before !== undefined && LISTS.has(before) && /^\d+$/.test(segment)) return `[${segment}]`;
  return `[${toQuoted(segment)}]`;
}

/** A name or text in single quotes. Quotes and control characters are escaped by their numbers. */
export function toQuoted(text: string): string {
  const escaped = text.replaceAll(/[^ !#-&(-[\]-~\u00a0-\ud7ff\ue000-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `'${escaped}'`;
}
