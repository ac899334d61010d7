import type { Api } from '../model/api.js';
import { splitPointer } from '../model/document/pointer.js';
import type { Schema } from '../model/schema-types.js';
import { membersOf } from '../schema/facts/members.js';
import type { Correction } from './corrections.js';
import { schemaAt } from './find-id.js';
import { foldName, toSingular } from './inflection.js';
import { nounOf } from './path-template.js';
import { idNameOf } from './references.js';
import type { IdMember, MemberParent } from './resource.js';

const CORRECTED = { reason: 'a correction says so', isSure: true } as const;

/** The member that repeats a path parameter, by a correction. */
export function findCorrectedMember(
  name: string,
  { schema, correction }: { readonly schema: Schema; readonly correction: Correction | undefined },
  api: Api,
): IdMember | undefined {
  const { parameters = {} } = correction ?? {};
  const pointer = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return pointer === undefined ? undefined : memberAt(schema, splitPointer(pointer), api);
}

/** The parent that a correction names, if a member of items says to which parent they belong. */
export function findMemberParent(
  schema: Schema,
  correction: Correction | undefined,
  api: Api,
): MemberParent | undefined {
  const parent = correction?.parent;
  if (parent === undefined) return undefined;
  const path = parent.startsWith('/') ? parent : `/${parent}`;
  const noun = foldName(toSingular(nounOf({ collectionPath: path })));
  const members = [...membersOf(schema, api).values()];
  const own = [idNameOf(noun), noun].flatMap((name) => members.find((one) => foldName(one.name) === name) ?? [])[0];
  if (own === undefined) return undefined;
  const inner = membersOf(own.schema, api).get('id');
  const member = memberAt(schema, inner === undefined ? [own.name] : [own.name, 'id'], api);
  return member === undefined ? undefined : { path, member };
}

function memberAt(schema: Schema, path: readonly string[], api: Api): IdMember | undefined {
  const found = schemaAt(schema, path, api);
  return found === undefined ? undefined : { path, schema: found, prefix: '', basis: CORRECTED };
}
