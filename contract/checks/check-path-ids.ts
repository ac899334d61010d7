import { isId } from '../../resources/extract-id.js';
import type { Parameter } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { isRecord } from '../../model/document/records.js';
import { foldName } from '../../resources/inflection.js';
import { bodyAt, evidenceFor, parameterOf } from '../expectations/assertion.js';
import { problemsOf } from '../expectations/unmet.js';
import type { Case, Exchange } from '../types.js';
import type { Problem } from './problem.js';

/**
 * Checks that a successful response repeats the ids of its path: the response of `/vehicles/{vehicle_id}/driver` must
 * have that `vehicle_id`.
 *
 * @param names.item - whether a parameter is the id of an item. Other names, such as that of a region, may have aliases.
 * @param names.own - the member with the id of the shown item, if another parameter has it: the `code` of a charge in
 * `/plans/{code}/charges/{charge_code}` is not that of the plan.
 */
export function checkPathIds(
  { call, expectation }: Case,
  exchange: Exchange,
  names: {
    readonly item: (parameter: Parameter) => boolean;
    readonly own: (parameter: Parameter) => string | undefined;
  },
): Problem[] {
  const { status, json } = exchange;
  // The created item may be of the same kind as the one in the path: `/jobs/{job_id}/retry`.
  const isRepeated = status === 200 || (status < 300 && call.operation.method !== 'post');
  if (expectation.kind !== 'valid' || !isRepeated || !isRecord(json)) return [];
  const [inner, ...others] = Object.entries(json).filter(([, value]) => isRecord(value));
  const places = [
    ['', json] as const,
    ...(inner === undefined || others.length > 0 ? [] : [[appendPointer('', inner[0]), inner[1]] as const]),
  ];
  const evidence = evidenceFor(call);
  return [...call.parameters].flatMap(([parameter, sent]) => {
    const { name, in: place } = parameter;
    // A member `id` may be the id of the returned object instead.
    if (place !== 'path' || foldName(name) === 'id' || !names.item(parameter)) return [];
    const ownId = names.own(parameter);
    // A body with the member is the item: an object in it may have an id of its own.
    const first = places.find(([, shown]) => namedBy(shown, name, ownId).length > 0);
    return (first === undefined ? [] : [first]).flatMap(([around, shown]) =>
      namedBy(shown, name, ownId).flatMap((member) => {
        const left = bodyAt(exchange, appendPointer(around, member));
        const assertion = { expects: 'same id', left, right: parameterOf(exchange, parameter, sent) } as const;
        return problemsOf('belongs to parent', assertion, evidence, () => ({
          cause: `path ${name}`,
          message: `${member} differs from the ${name} in the path.`,
        }));
      }),
    );
  });
}

/** The members of an object that have the id which a parameter names. */
function namedBy(shown: unknown, name: string, ownId: string | undefined): string[] {
  if (!isRecord(shown)) return [];
  return Object.keys(shown).filter(
    (member) => foldName(member) === foldName(name) && member !== ownId && isId(shown[member]),
  );
}
