import type { Api } from '../../model/api.js';
import type { Schema } from '../../model/schema-types.js';
import { toPointer } from '../../model/document/pointer.js';
import { membersOf } from '../../schema/facts/members.js';
import type { PathGroup } from '../collections.js';
import { foldName, toSingular } from '../inflection.js';
import { memberPath } from '../member-paths.js';
import { nounOf, parametersOf } from '../path-template.js';
import { type PathStep, findReferences } from '../references.js';
import type { Assignment, ResourceFinder } from '../resource-finder.js';
import type { ResourceCore } from '../resource.js';
import { bodySchemaOf } from '../success-response.js';
import { describedAsUnique } from '../unique-members.js';
import type { MappedMember, MappedReference } from './resource-map.js';

export interface MapContext {
  readonly api: Api;
  readonly finder: ResourceFinder;
  readonly targets: readonly Target[];
}

const CORRECTED = { reason: 'a correction says so', isSure: true } as const;

/** Describes the members of an item whose values are unique. */
export function describeUnique(parts: readonly Assignment[], api: Api): MappedMember[] {
  const [first] = parts;
  const stated = first === undefined ? [] : (first.core.correction?.unique ?? []);
  if (stated.length > 0) return stated.map((member) => ({ member: toPointer(memberPath(member)), ...CORRECTED }));
  const creation = parts.find(({ part }) => part.role === 'create');
  const whole = creation && bodySchemaOf(creation.part.operation);
  if (creation === undefined || whole === undefined) return [];
  const body = creation.part.bodyEnvelope.path.reduce<Schema>(
    (at, name) => membersOf(at, api).get(name)?.schema ?? true,
    whole,
  );
  const place = creation.part.operation.source;
  return describedAsUnique(creation.part.operation, body, api).map((name) => ({
    member: toPointer([name]),
    reason: 'its description, or that of the response 409, says so',
    isSure: true,
    place,
  }));
}

/** Describes the members of an item that name items of other collections. Members of members are left out. */
export function describeReferences(core: ResourceCore, group: PathGroup, context: MapContext): MappedReference[] {
  const { api } = context;
  const stated = Object.entries(core.correction?.references ?? {});
  const known = new Set(stated.map(([member]) => toPointer(memberPath(member))));
  const parents = new Set([...core.parentMembers.values()].map(({ path }) => toPointer(path)));
  const shallow = Object.fromEntries([...membersOf(core.schema, api).keys()].map((name) => [name, {}]));
  const inferred = findReferences(core.schema, api, [shallow]).flatMap((reference): MappedReference[] => {
    const member = pointerOf(reference.path);
    const target = targetOf(reference.noun, group, context);
    if (target === undefined || known.has(member) || parents.has(member)) return [];
    const reason = `its name is that of an id of ${target.group.collectionPath}`;
    return [{ member, path: target.group.collectionPath, reason, isSure: target.noun === reference.noun }];
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
  /** The noun of the collection, without letter case and separators. */
  readonly noun: string;
}

/** The collections that ids may name. Those without parents come first: an id alone can only name an item of them. */
export function findTargets({ groups }: ResourceFinder): readonly Target[] {
  const depth = ({ group }: Target): number => parametersOf(group.collectionPath).length;
  return [...groups.groups]
    .map((group) => ({ group, noun: foldName(toSingular(nounOf(group))) }))
    .filter(({ noun }) => noun.length > 2)
    .sort((one, other) => depth(one) - depth(other));
}

/** The collection that a noun names: `author` is `/authors`, and `from account` ends with `/accounts`. */
function targetOf(noun: string, own: PathGroup, { finder, targets }: MapContext): Target | undefined {
  const isFit = (one: Target): boolean =>
    noun.endsWith(one.noun) && (one.group !== own || one.noun !== noun) && finder.coreOf(one.group)?.id !== undefined;
  return targets.find((one) => one.noun === noun && isFit(one)) ?? targets.find(isFit);
}
