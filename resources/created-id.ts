import type { Api } from '../model/api.js';
import { splitPointer } from '../model/document/pointer.js';
import type { Schema } from '../model/schema-types.js';
import { isObjectSchema, membersOf, typesOf } from '../schema/facts/members.js';
import { schemaAt } from './find-id.js';
import { foldName, toSingular } from './inflection.js';
import { nounOf } from './path-template.js';
import { idNameOf } from './references.js';
import type { IdMember, ResourceCore } from './resource.js';

/**
 * Finds where the response to a creation shows the id, if it does not contain the item: in a member with the name of
 * the parameter or of the id, also one level down, as in `{ result: { petId } }`.
 */
export function findCreatedId(response: Schema, core: ResourceCore, api: Api): IdMember | undefined {
  const corrected = core.correction?.idInResponse;
  if (corrected !== undefined) {
    const path = splitPointer(corrected);
    const basis = { reason: '`resources` says so', isSure: true };
    return { path, schema: schemaAt(response, path, api) ?? true, prefix: core.id?.prefix ?? '', basis };
  }
  const wanted = [core.parameter, core.id?.path.at(-1) ?? 'id', idNameOf(toSingular(nounOf(core))), 'id'].map(foldName);
  const inner = [...membersOf(response, api).values()].filter(({ schema }) => isObjectSchema(schema, api));
  const places = [[] as readonly string[], ...inner.map(({ name }) => [name])];
  for (const name of new Set(wanted))
    for (const place of places) {
      const members = [...membersOf(schemaAt(response, place, api) ?? true, api).values()];
      const found = members.find((one) => foldName(one.name) === name && isScalar(one.schema, api));
      const reason = `the response to the creation shows it as ${[...place, found?.name].join('.')}`;
      if (found !== undefined)
        return {
          path: [...place, found.name],
          schema: found.schema,
          prefix: '',
          basis: { reason, isSure: name === wanted[0] },
        };
    }
  return undefined;
}

function isScalar(schema: Schema, api: Api): boolean {
  const types = typesOf(schema, api);
  return !types.has('object') && !types.has('array') && !types.has('boolean');
}
