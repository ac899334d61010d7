import type { Api } from '../model/api.js';
import { appendPointer, toPointer } from '../model/document/pointer.js';
import { withoutUndefined } from '../model/document/records.js';
import { getOrInsert } from '../model/maps.js';
import type { Schema } from '../model/schema-types.js';
import { isObjectSchema, membersOf, typesOf } from '../schema/facts/members.js';
import type { PathGroup } from './collections.js';
import { itemSchemas } from './corrected-resources.js';
import { type Correction, type CorrectedRole, type PageCorrection, correctionFor } from './corrections.js';
import { listPathOf } from './envelope.js';
import { foldName } from './inflection.js';
import type { PageMember } from './page-members.js';
import type { Paging } from './page-ways.js';
import { pagingOf } from './paging.js';
import type { Basis, MainRole } from './resource.js';
import { finderOf, type ResourceFinder } from './resource-finder.js';

/** A correction that would decide what inference is not sure of. */
export interface SuggestedCorrection {
  /** The path of the collection, or the folder of calls by verb, such as `/documents`. */
  readonly path: string;
  readonly correction: Correction;
  /** Sentences without a full stop. */
  readonly reasons: readonly string[];
}

/** A part of a suggestion: one member of a correction. */
interface Suggestion {
  readonly correction: Correction;
  readonly reason: string;
}

/** Collects what inference is not sure of, each as the correction that would decide it. */
export function suggestCorrections(api: Api): SuggestedCorrection[] {
  const finder = finderOf(api);
  const pages = findUnsurePages(finder, api);
  const inUse = new Set(api.operations.flatMap((operation) => finder.assign(operation)?.group ?? []));
  return [...finder.groups.groups].flatMap((group): SuggestedCorrection[] => {
    const path = group.collectionPath;
    const known = correctionFor(path, api);
    if (known === false) return [];
    // A guess that no operation follows needs no correction.
    const isUnused = finder.coreOf(group) !== undefined && !inUse.has(group);
    const found = [
      ...(isUnused ? [] : suggestId(group, finder, api)),
      ...suggestOperations(group, finder),
      ...(pages.get(group) ?? []).slice(0, 1),
    ].filter(({ correction }) =>
      Object.keys(correction).every((member) => known === undefined || !Object.hasOwn(known, member)),
    );
    if (found.length === 0) return [];
    const correction = Object.assign({}, ...found.map((one) => one.correction)) as Correction;
    return [{ path, correction, reasons: found.map(({ reason }) => reason) }];
  });
}

function suggestId(group: PathGroup, finder: ResourceFinder, api: Api): Suggestion[] {
  const { id } = finder.coreOf(group) ?? {};
  const [parameter, ...others] = group.itemParameters;
  if (id !== undefined) {
    const basis = unsureBasis(id);
    const [name = '', ...rest] = id.path;
    const place = rest.length === 0 ? name : id.path.reduce(appendPointer, '');
    return basis === undefined ? [] : [{ correction: { id: place }, reason: `${place} is the id, as ${basis.reason}` }];
  }
  if (parameter === undefined || others.length > 0 || finder.coreOf(group) !== undefined) return [];
  const name = likelyId(parameter, group, api);
  if (name === undefined) return [];
  const reason = `no member of an item is known to be {${parameter}}, so its operations have no state`;
  return [{ correction: { id: name }, reason }];
}

/** The scalar member of an item that a parameter most likely names: the longest that its name ends with, else the first. */
function likelyId(parameter: string, { itemOperations }: PathGroup, api: Api): string | undefined {
  const items = itemSchemas(
    itemOperations.filter(({ method }) => method === 'get'),
    api,
  ).filter((schema) => isObjectSchema(schema, api));
  const names = items.flatMap((item) =>
    [...membersOf(item, api).values()].flatMap((member) => (isScalar(member.schema, api) ? [member.name] : [])),
  );
  const folded = foldName(parameter);
  const endings = names.filter((name) => folded.endsWith(foldName(name)) || foldName(name).endsWith(folded));
  return endings.toSorted((one, other) => other.length - one.length)[0] ?? names[0];
}

function isScalar(schema: Schema, api: Api): boolean {
  const types = typesOf(schema, api);
  return types.has('string') || types.has('integer');
}

function suggestOperations(group: PathGroup, finder: ResourceFinder): Suggestion[] {
  const operations: Partial<Record<CorrectedRole, string>> = {};
  const reasons: string[] = [];
  for (const { part } of finder.partsOf(group)) {
    const basis = unsureBasis(part);
    if (basis === undefined || part.role === 'action' || part.role === 'createMany') continue;
    operations[correctedRole(part.role)] = part.operation.id;
    reasons.push(`${part.operation.id} has the role ${correctedRole(part.role)}, as ${basis.reason}`);
  }
  return reasons.length === 0 ? [] : [{ correction: { operations }, reason: reasons.join('; ') }];
}

/** The corrections that would decide how lists page, by group. */
function findUnsurePages(finder: ResourceFinder, api: Api): ReadonlyMap<PathGroup, readonly Suggestion[]> {
  const found = new Map<PathGroup, Suggestion[]>();
  for (const operation of api.operations) {
    const paging = listPathOf(operation, api) === undefined ? undefined : pagingOf(operation, api);
    const place = finder.groups.placesOf(operation).find(({ kind }) => kind === 'own' || kind === 'verb');
    const basis = paging && unsureBasis(paging);
    if (paging === undefined || place === undefined || basis === undefined) continue;
    const reason = `${operation.id} pages by ${wayOf(paging)}, as it ${basis.reason}`;
    getOrInsert(found, place.group, () => []).push({ correction: { page: pageCorrectionOf(paging) }, reason });
  }
  return found;
}

function wayOf({ style, step }: Paging): string {
  return style === 'link' ? 'links' : (step?.name ?? style);
}

function pageCorrectionOf({ style, step, size, next, more, total }: Paging): PageCorrection {
  const kind = style === 'offset' || style === 'page' ? style : 'cursor';
  const pointerOf = (member: PageMember | undefined): string | undefined => member && toPointer(member.path);
  return withoutUndefined({
    ...(step === undefined ? {} : { [kind]: step.name }),
    size: size?.name,
    next: pointerOf(next),
    more: pointerOf(more),
    total: pointerOf(total),
  });
}

function correctedRole(role: MainRole): CorrectedRole {
  return role === 'patch' ? 'update' : role;
}

/** The reason for a guess that nothing confirms. */
function unsureBasis(guess: { readonly basis?: Basis } | object): Basis | undefined {
  const basis = 'basis' in guess ? guess.basis : undefined;
  return basis?.isSure === false ? basis : undefined;
}
