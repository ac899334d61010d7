import type { HandlerContext, HttpError, Violation } from 'specmill/mock';

import { type Broken, RULES } from './rules.js';
import type { TableRecord } from './table-record.js';
import { refuse } from './table-refusal.js';

/**
 * Checks the table that would result.
 *
 * @throws HttpError 400 for a rule of the spec that it breaks.
 */
export function checkTable(
  context: Pick<HandlerContext, 'schema'>,
  table: TableRecord,
  stored: TableRecord | undefined,
): void {
  // What comes in was checked as it came; what it gives when it is merged into a stored table was not.
  const errors = stored === undefined ? [] : context.schema('Table').validate(table);
  const [first] = errors;
  if (first !== undefined) throw invalid(`Invalid value at ${toLocation(first.pointer)}: ${first.message}`, errors);
  for (const { find } of RULES) {
    const broken = find({ table, stored });
    if (broken !== undefined) throw invalid(broken.message, [broken]);
  }
}

function invalid(message: string, broken: readonly Broken[]): HttpError {
  const location = toLocation(broken[0]?.pointer ?? '');
  const violations = broken.map((one): Violation => ({ in: 'body', pointer: one.pointer, message: one.message }));
  return refuse(message, { status: 400, reason: 'invalid', location, violations });
}

/** `/schema/fields/2/scale` -> `schema.fields[2].scale`. */
function toLocation(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}${path === '' ? '' : '.'}${part}`), '');
}
