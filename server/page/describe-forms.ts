import type { Api } from '../../model/api.js';
import { withoutUndefined } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { keywordOf, membersOf, typesOf } from '../../schema/facts/members.js';
import type { ServedApi } from '../control/run-action.js';
import type { DescribedField, DescribedForm } from './views.js';

/** Describes the members of the items of each collection. */
export function describeForms({ api, collections }: Pick<ServedApi, 'api' | 'collections'>): readonly DescribedForm[] {
  return collections.all().map(({ name, schema }) => ({
    path: name,
    fields: schema === undefined ? [] : describeFields(schema, api),
  }));
}

function describeFields(schema: Schema, api: Api): readonly DescribedField[] {
  return [...membersOf(schema, api).values()].map(({ name, isRequired, schema: member }) => {
    const values = keywordOf(member, 'enum', api) ?? undefined;
    const description = keywordOf(member, 'description', api);
    return {
      name,
      required: isRequired,
      types: [...typesOf(member, api)],
      ...withoutUndefined({ values, description }),
    };
  });
}
