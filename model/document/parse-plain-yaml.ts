import type { Schema } from 'js-yaml';

import { toExactNumber } from '../../runtime/json-integers.js';
import { loadFastYaml } from './yaml-library.js';

/** The value of a text, or that the text needs the other library. */
export type PlainYaml = { readonly value: unknown } | undefined;

let schemas: { readonly doubles: Schema; readonly exact: Schema } | undefined;

/**
 * Parses YAML that needs neither a position nor an error, several times as fast as the library that knows them.
 * Returns `undefined` for a text that has an alias (whose repetitions that library counts), a directive, a tag of its
 * own, or a mistake.
 */
export function parsePlainYaml(text: string, isExact: boolean, maxDepth: number): PlainYaml {
  if (/^%/m.test(text)) return undefined;
  schemas ??= makeSchemas();
  try {
    const schema = isExact ? schemas.exact : schemas.doubles;
    return { value: loadFastYaml().load(text, { schema, maxDepth, maxAliases: 0 }) };
  } catch {
    return undefined;
  }
}

/** Those of YAML 1.2 with the merge key of 1.1; the exact one keeps integers that a double would change. */
function makeSchemas(): { readonly doubles: Schema; readonly exact: Schema } {
  const { CORE_SCHEMA, defineScalarTag, intCoreTag, mergeTag } = loadFastYaml();
  const doubles = CORE_SCHEMA.withTags(mergeTag);
  const exactInteger = defineScalarTag<unknown>(intCoreTag.tagName, {
    ...intCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = intCoreTag.resolve(source, isExplicit, tagName);
      if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
      return toExactNumber(/^0[xo]/i.test(source) ? String(BigInt(source)) : source);
    },
  });
  return { doubles, exact: doubles.withTags(exactInteger) };
}
