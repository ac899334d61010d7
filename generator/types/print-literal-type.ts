import { toLiteral, toPropertyKey, toStringLiteral } from '../../model/identifiers.js';

export function printLiteralType(value: unknown): string {
  if (typeof value === 'string') return toStringLiteral(value);
  if (Array.isArray(value)) return `[${value.map(printLiteralType).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${toPropertyKey(key)}: ${printLiteralType(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`;
  }
  return toLiteral(value);
}
