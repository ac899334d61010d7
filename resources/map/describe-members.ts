import type { Api } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import { membersOf } from '../../schema/facts/members.js';
import type { PathGroup } from '../collections.js';
import { correctionFor } from '../corrections.js';
import { foldName, toSingular } from '../inflection.js';
import { memberPath } from '../member-paths.js';
import { nounOf, parametersOf } from '../path-template.js';
import { type PathStep, findReferences } from '../references.js';
import type { Assignment, ResourceFinder } from '../resource-finder.js';
import type { ResourceCore } from '../resource.js';
import { bodySchemaOf } from '../success-response.js';
import { describedAsUnique } from '../unique-members.js';
import type { MappedMember, MappedReference } from './resource-map.js';

interface MapContext {
  readonly api: Api;
  readonly finder: ResourceFinder;
}

const CORRECTED = { reason: 'a correction says so', isSure: true } as const;

/** Describes the members of an item whose values are unique. */
export function describeUnique(parts: readonly Assignment[], api: Api): MappedMember[] {
  const [first] = parts;
  const stated = first === undefined ? [] : (first.core.correction?.unique ?? []);
  if (stated.length > 0) return stated.map((member) => ({ member: toPointer(memberPath(member)), ...CORRECTED }));
  const creation = parts.find(({ part }) => part.role === 'create');
  const body = creation && bodySchemaOf(creation.part.operation);
  if (creation === undefined || body === undefined) return [];
  const place = creation.part.operation.source;
  return describedAsUnique(creation.part.operation, body, api).map((name) => ({
    member: toPointer([name]),
    reason: 'its description, or that of the response 409, says so',
    isSure: true,
    place,
  }));
}

/** Describes the members of an item that name items of other collections. Members of members are left out. */
export function describeReferences(
  core: ResourceCore,
  group: PathGroup,
  { api, finder }: MapContext,
): MappedReference[] {
  const stated = Object.entries(core.correction?.references ?? {});
  const known = new Set(stated.map(([member]) => toPointer(memberPath(member))));
  const parents = new Set([...core.parentMembers.values()].map(({ path }) => toPointer(path)));
  const shallow = Object.fromEntries([...membersOf(core.schema, api).keys()].map((name) => [name, {}]));
  const inferred = findReferences(core.schema, api, [shallow]).flatMap((reference): MappedReference[] => {
    const member = pointerOf(reference.path);
    const target = targetOf(reference.noun, group, { api, finder });
    if (target === undefined || known.has(member) || parents.has(member)) return [];
    const reason = `its name is that of an id of ${target.group.collectionPath}`;
    return [{ member, path: target.group.collectionPath, reason, isSure: target.isExact }];
  });
  return [
    ...stated.map(([member, path]) => ({ member: toPointer(memberPath(member)), path, ...CORRECTED })),
    ...inferred,
  ];
}

function pointerOf(path: readonly PathStep[]): string {
  return toPointer(path.map((step) => (typeof step === 'string' ? step : '*')));
}

interface Target {
  readonly group: PathGroup;
  /** Whether the name is the noun of the collection, without words before it. */
  readonly isExact: boolean;
}

/** The collection that a noun names: `author` is `/authors`, and `from account` ends with `/accounts`. */
function targetOf(noun: string, own: PathGroup, { api, finder }: MapContext): Target | undefined {
  const fitting = [...finder.groups.groups].flatMap((group) => {
    const name = foldName(toSingular(nounOf(group)));
    const hasItems = finder.coreOf(group)?.id !== undefined && correctionFor(group.collectionPath, api) !== false;
    return hasItems && name.length > 2 && noun.endsWith(name) ? [{ group, isExact: noun === name }] : [];
  });
  // An id without its parents can only name an item of a collection that has none.
  const depth = ({ group }: Target): number => parametersOf(group.collectionPath).length;
  const others = fitting
    .filter(({ group, isExact }) => group !== own || !isExact)
    .sort((one, other) => Number(other.isExact) - Number(one.isExact) || depth(one) - depth(other));
  return others[0];
}
