import type { SchemaObject } from '../../emitter-kit/contract.js';
import { type Check, type Printed, type ZodScope, withChecks, pick } from './scope.js';

export function printArray(schema: SchemaObject, scope: ZodScope): Printed {
  const { items = true, prefixItems = [], minItems = 0, maxItems } = schema;
  if (prefixItems.length === 0) {
    const checks: Check[] = [
      ...(minItems > 0 ? [['min', 'minLength', String(minItems)] as const] : []),
      ...(maxItems === undefined ? [] : [['max', 'maxLength', String(maxItems)] as const]),
    ];
    // `items: false` beside an empty list of first items allows only the empty list.
    return {
      code: withChecks(`z.array(${scope.print(items, scope).code})`, checks, scope),
      infers: schema.prefixItems === undefined,
    };
  }
  const isWhole = minItems >= prefixItems.length;
  const inner = isWhole ? scope : { ...scope, isTyped: true };
  const first = prefixItems.map((item, index) => {
    const { code } = scope.print(item, inner);
    return index < minItems ? code : `z.optional(${code})`;
  });
  const rest = items === false ? '' : `, ${scope.print(items, inner).code}`;
  return {
    code: `z.tuple([${first.join(', ')}]${rest})`,
    infers: isWhole,
    rest: pick(schema, ['minItems', 'maxItems']),
  };
}
