import type { SchemaObject } from '../../emitter-kit/contract.js';
import type { ZodScope } from './scope.js';

const SHOWN = ['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'] as const;

/**
 * Adds title and description, and the keywords that `z.toJSONSchema` would lose.
 *
 * @param keywords - keywords as the spec has them. `undefined` removes one.
 */
export function printMetadata(
  code: string,
  schema: SchemaObject,
  keywords: Readonly<Record<string, unknown>>,
  { kit }: ZodScope,
): string {
  if (!kit.options.metadata) return code;
  const shown = SHOWN.flatMap((key): [string, unknown][] => (schema[key] === undefined ? [] : [[key, schema[key]]]));
  const entries = [...shown, ...Object.entries(keywords)];
  if (entries.length === 0) return code;
  const text = entries.map(
    ([key, value]) => `${kit.print.key(key)}: ${value === undefined ? 'undefined' : kit.print.literal(value)}`,
  );
  const given = `{ ${text.join(', ')} }`;
  return kit.options.variant === 'mini' ? `${code}.register(z.globalRegistry, ${given})` : `${code}.meta(${given})`;
}
