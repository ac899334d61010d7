import { appendPointer } from '../../model/document/pointer.js';
import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { hasSameForm, isServerTime } from '../checks/same-form.js';
import { isOneSided, memberSchemas } from '../../schema/facts/members.js';

/** A member that differs from what was sent. */
export interface Difference {
  readonly pointer: string;
  readonly sent: unknown;
  readonly got: unknown;
}

/**
 * Finds the parts of a sent value that are missing or different in the received one. Leaves out `writeOnly` and
 * `readOnly` members, and those that the response's schema does not describe.
 */
export function findDifferences(
  sent: unknown,
  got: unknown,
  { schema, api }: { readonly schema: Schema; readonly api: Api },
): Difference[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return isSame(sent, got) ? [] : [{ pointer: '', sent, got }];
  if (typeof got !== 'object' || got === null || Array.isArray(got)) return [{ pointer: '', sent, got }];
  const members = memberSchemas(schema, api);
  return Object.entries(sent).flatMap(([name, value]) => {
    const member = members.get(name);
    if (member === undefined || isOneSided(member, api) || isServerTime(name)) return [];
    if (!hasSameForm(value, member, api)) return [];
    const own: unknown = Object.hasOwn(got, name) ? (got as Record<string, unknown>)[name] : undefined;
    return findDifferences(value, own, { schema: member, api }).map((one) => ({
      ...one,
      pointer: appendPointer('', name) + one.pointer,
    }));
  });
}

/** Whether two values are equal. Times may be written differently. */
export function isSame(sent: unknown, got: unknown): boolean {
  if (Object.is(sent, got) || JSON.stringify(sent) === JSON.stringify(got)) return true;
  if (typeof sent === 'number' && typeof got === 'number') return sent === got;
  if (Array.isArray(sent) && Array.isArray(got))
    return (
      sent.length === got.length &&
      sent.every((item, index) => isSame(item, got[index]) || (typeof item === 'object' && item !== null))
    );
  if (typeof sent !== 'string' || typeof got !== 'string') return false;
  return /^\d{4}-\d\d-\d\dT/i.test(sent) && Date.parse(sent) === Date.parse(got);
}
