import { isId } from '../../resources/extract-id.js';
import type { Parameter } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { foldName } from '../../resources/inflection.js';
import type { Case, Exchange, Problem } from '../types.js';
import { isShownAs } from '../shown-as.js';
import { problem } from './problem.js';

/**
 * Checks that a successful response repeats the ids of its path: the response of `/vehicles/{vehicle_id}/driver` must
 * have that `vehicle_id`.
 *
 * @param namesItem - whether a parameter is the id of an item. Other names, such as that of a region, may have aliases.
 */
export function checkPathIds(
  { call, expectation }: Case,
  { status, json }: Exchange,
  namesItem: (parameter: Parameter) => boolean,
): Problem[] {
  // The created item may be of the same kind as the one in the path: `/jobs/{job_id}/retry`.
  const isRepeated = status === 200 || (status < 300 && call.operation.method !== 'post');
  if (expectation.kind !== 'valid' || !isRepeated || !isRecord(json)) return [];
  const [inner, ...others] = Object.entries(json).filter(([, value]) => isRecord(value));
  const places = [
    ['', json] as const,
    ...(inner === undefined || others.length > 0 ? [] : [[appendPointer('', inner[0]), inner[1]] as const]),
  ];
  return [...call.parameters].flatMap(([parameter, sent]) => {
    const { name, in: place } = parameter;
    // A member `id` may be the id of the returned object instead.
    if (place !== 'path' || foldName(name) === 'id' || !namesItem(parameter)) return [];
    return places.flatMap(([around, shown]) => findOther({ name, sent }, shown, around));
  });
}

function findOther(
  { name, sent }: { readonly name: string; readonly sent: unknown },
  shown: unknown,
  around: string,
): Problem[] {
  if (!isRecord(shown)) return [];
  return Object.entries(shown)
    .filter(([member, own]) => foldName(member) === foldName(name) && isId(own) && !isSameId(sent, own))
    .map(([member, own]) =>
      problem('belongs to parent', {
        cause: `path ${name}`,
        pointer: appendPointer(around, member),
        message: `${member} differs from the ${name} in the path.`,
        expected: JSON.stringify(sent) ?? 'nothing',
        actual: JSON.stringify(own) ?? 'nothing',
      }),
    );
}

/** Some servers put the collection before the id: `vehicles/7`. */
function isSameId(sent: unknown, shown: unknown): boolean {
  return isShownAs(sent, shown) || String(shown).endsWith(`/${String(sent)}`);
}
