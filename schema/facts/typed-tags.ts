import type { SchemaObject } from '../../model/schema-types.js';

/** The values of a mapping, which are texts in the document, in the type of the member. */
export function typedTags(tags: readonly string[], type: SchemaObject['type']): readonly unknown[] {
  const types: readonly unknown[] = type === undefined ? ['string'] : [type].flat();
  if (types.includes('string')) return tags;
  if (types.includes('integer') || types.includes('number'))
    return tags.map(Number).filter((value) => Number.isFinite(value));
  return types.includes('boolean')
    ? tags.filter((tag) => /^(?:true|false)$/.test(tag)).map((tag) => tag === 'true')
    : [];
}
