import { appendPointer } from '../../model/document/pointer.js';
import { setMember } from '../../model/document/records.js';
import { showJson } from '../../model/exact-json.js';
import {
  countOf,
  describeDays,
  describePlace,
  describeValues,
  nameOperation,
  type SchemaContext,
} from './describe-observation.js';
import type { FoldedObservation, OverlayAction } from './observation.js';
import { schemaFromShape } from './schema-from-shape.js';
import { findSentPlaces } from './sent-places.js';
import { toJsonPath, toQuoted } from './spec-path.js';
import type { WrittenMember } from './write-log.js';

/** The actions for members that the spec requires and objects lack. */
export function allowMissing(
  group: readonly FoldedObservation[],
  first: FoldedObservation,
  context: SchemaContext,
): OverlayAction[] {
  const target = `${toJsonPath(first.at.pointer)}.required`;
  const describe = (found: FoldedObservation): string =>
    `${describePlace(found)} may lack the member ${showName(found.member)}: ${describeValues(found, context)}`;
  const hidden = group.filter((found) => isNeverShown(found, context));
  if (hidden.length > 0) {
    const others = group.filter((found) => !hidden.includes(found));
    const marked = hidden.map((found) => hideMember(found, describe(found)));
    return others.length === 0 ? marked : [...marked, ...allowMissing(others, first, context)];
  }
  // A list of required members must not be empty.
  if (group.length >= (first.schema.required?.length ?? 0))
    return [{ target, description: group.map(describe).join(' '), remove: true }];
  return group.map((found) => ({
    target: `${target}[?@ == ${toQuoted(found.member ?? '')}]`,
    description: describe(found),
    remove: true,
  }));
}

/** Whether requests send a member that no response has, such as a password. OpenAPI 2.0 has no word for that. */
function isNeverShown({ schema, at, member = '' }: FoldedObservation, { api, totals }: SchemaContext): boolean {
  const own = schema.properties?.[member];
  if (api.dialect === 'openapi-2.0' || typeof own !== 'object' || own.$ref !== undefined) return false;
  return totals.members(at, member) === 0 && findSentPlaces(api)(at);
}

function hideMember({ at, member = '' }: FoldedObservation, description: string): OverlayAction {
  const target = toJsonPath(appendPointer(appendPointer(at.pointer, 'properties'), member));
  return {
    target,
    description: `${description}. No response has it, and requests send it.`,
    update: { writeOnly: true },
  };
}

function showName(name: string | undefined): string {
  return /^[\w-]+$/.test(name ?? '') ? (name ?? '') : showJson(name ?? '');
}

/** The action for members that a schema excludes. */
export function addMembers(
  group: readonly FoldedObservation[],
  first: FoldedObservation,
  context: SchemaContext,
): OverlayAction[] {
  const { api } = context;
  const properties: Record<string, unknown> = {};
  for (const { member = '', shape } of group) setMember(properties, member, schemaFromShape(shape, api.dialect));
  const names = group.map(({ member }) => showName(member)).join(', ');
  const description = `${describePlace(first)} has ${names}, which the spec does not allow: ${describeValues(first, context)}`;
  return [{ target: toJsonPath(first.at.pointer), description, update: { properties } }];
}

/** The actions that mark members as `readOnly`: the server sets them, whatever requests send. */
export function writeActions(members: readonly WrittenMember[]): OverlayAction[] {
  return members.map(({ at, name, operation, status, calls, example, ...days }) => ({
    target: toJsonPath(at.pointer),
    description: `The server sets /${name} of ${nameOperation(operation)} (${status}) itself, whatever is sent: ${countOf(calls, 'call', calls)} ${describeDays(days)}. Example: ${example}`,
    update: { readOnly: true },
  }));
}
