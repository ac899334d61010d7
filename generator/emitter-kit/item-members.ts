import type { Api, Operation } from '../../model/api.js';
import { finderOf } from '../../resources/resource-finder.js';

/** The members of the item in a response that repeat parameters of the path, by parameter name. */
export function itemMembers(operation: Operation, api: Api): Readonly<Record<string, readonly string[]>> {
  const found = finderOf(api).assign(operation);
  const envelope = found?.part.envelope;
  if (found === undefined || envelope === undefined || envelope.isList) return {};
  const { core } = found;
  const inPath = new Set(operation.parameters.flatMap((one) => (one.in === 'path' ? [one.name] : [])));
  const places = [
    ...[...core.parentMembers].map(([parameter, member]) => [parameter, member] as const),
    ...(core.outerIds ?? []).map((member) => [member.parameter, member] as const),
    ...(core.id === undefined || !operation.path.includes('{')
      ? []
      : [[ownParameter(operation, core.itemParameters), core.id] as const]),
  ];
  return Object.fromEntries(
    places
      .filter(([parameter, { prefix, isLink }]) => inPath.has(parameter) && prefix === '' && isLink !== true)
      .map(([parameter, { path }]) => [parameter, [...envelope.path, ...path]]),
  );
}

/** The parameter of the item's id in this path, which another path of the collection may name otherwise. */
function ownParameter({ path }: Operation, itemParameters: readonly string[]): string {
  const own = itemParameters.at(-1) ?? '';
  return path.includes(`{${own}}`) ? own : '';
}
