import type { Schema } from '../../emitter-kit/contract.js';
import { type ZodScope, convertsValues } from './scope.js';

const CONVERTED = /^(?:date|date-time|u?int64)$/;

/** Whether some part of a value is converted. */
export function containsConversion(schema: Schema, { api, kit }: ZodScope): boolean {
  if (!convertsValues(kit)) return false;
  const seen = new Set<string>();
  const formats = new Set<string>();
  const open = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    api.visitSchema(next, ({ format = '', $ref }) => {
      formats.add(format);
      if ($ref === undefined || seen.has($ref)) return;
      seen.add($ref);
      open.push(api.schemas.get(api.refName($ref))?.schema ?? true);
    });
  return [...formats].some((format) => CONVERTED.test(format));
}

/** Reports that parts of a schema are checked but not converted, although the types of the output say so. */
export function reportLoss(schema: Schema, scope: ZodScope): void {
  if (!containsConversion(schema, scope)) return;
  const { name, source } = scope.place;
  scope.kit.report({
    code: 'zod-approximate',
    message: `${name} has dates or long integers at a place where zod.ts checks them but does not convert them.`,
    source,
  });
}
