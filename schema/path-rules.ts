import type { Operation } from '../model/api.js';
import { hasPlainPath } from '../model/openapi/plain-paths.js';
import type { PathRule } from '../runtime/route-tree.js';

/**
 * The parameters of a path that are not a plain segment or part of one: those of the styles `label` and `matrix`, and
 * those with `x-multi-segment`, as in GitHub's spec, which take several segments.
 */
export function pathRules(operation: Operation): PathRule[] {
  if (hasPlainPath(operation)) return [];
  return operation.parameters
    .filter(({ in: place, style, extensions }) => place === 'path' && (style !== 'simple' || isMulti(extensions)))
    .map(({ name, style, explode, schema, extensions }) => ({
      ...{ name, style, explode, isMulti: isMulti(extensions) },
      hasNames: typeof schema !== 'object' || schema.$ref !== undefined || schema.type === 'object',
    }));
}

function isMulti(extensions: Operation['extensions']): boolean {
  return extensions['x-multi-segment'] === true;
}
