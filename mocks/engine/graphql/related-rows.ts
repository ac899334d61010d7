import { stringifyExactJson } from 'specmill/mock';

import type { FieldValue, Row } from '../../../generated/engine/types.js';
import {
  type Condition,
  fieldsOfCondition,
  type RelatedCondition,
  relatedConditions,
  type RowTest,
  toRowTest,
} from '../conditions/condition.js';
import type { Entity, Relationship } from '../configuration/entity.js';
import { settingsOf } from '../configuration/settings.js';
import { checkFields, grantOf } from '../grants.js';
import { listRows } from '../rows.js';
import { fieldOf } from '../sort-rows.js';
import type { GraphqlRequest } from './arguments.js';

type Request = Pick<GraphqlRequest, 'context' | 'session'>;

/**
 * Tests which rows of the target belong to a row. Without fields in the configuration, and without foreign keys in a
 * schema of the database, there are none.
 */
export async function findRelated(
  { context }: Pick<Request, 'context'>,
  row: Row,
  { sourceFields, targetFields, linking }: Relationship,
): Promise<RowTest> {
  const own = keyOf(row, sourceFields);
  if (linking === undefined) return isOneOf(new Set([own]), targetFields);
  const links = await listRows(context, linking.entity);
  const mine = links.filter((link) => own !== undefined && keyOf(link, linking.sourceFields) === own);
  return isOneOf(new Set(mine.map((link) => keyOf(link, linking.targetFields))), targetFields);
}

/** Tests which rows lead to at least one of some rows of the target. */
async function findSources(
  { context }: Pick<Request, 'context'>,
  targets: readonly Row[],
  { sourceFields, targetFields, linking }: Relationship,
): Promise<RowTest> {
  const keys = new Set(targets.map((row) => keyOf(row, targetFields)));
  if (linking === undefined) return isOneOf(keys, sourceFields);
  const links = await listRows(context, linking.entity);
  const mine = links.filter(isOneOf(keys, linking.targetFields));
  return isOneOf(new Set(mine.map((link) => keyOf(link, linking.sourceFields))), sourceFields);
}

function isOneOf(keys: ReadonlySet<string | undefined>, fields: readonly string[]): RowTest {
  return (row) => {
    const key = keyOf(row, fields);
    return key !== undefined && keys.has(key);
  };
}

/** The values of some fields as one text; `undefined` without fields, or if a value is missing, which matches nothing. */
function keyOf(row: Row, fields: readonly string[]): string | undefined {
  const values: readonly FieldValue[] = fields.map((field) => fieldOf(row, field));
  return values.length === 0 || values.includes(null) ? undefined : stringifyExactJson(values);
}

/**
 * Returns the test of a condition on rows of an entity, for which it reads the rows of the entities that it relates to.
 *
 * @throws HttpError 403 for a field that the caller may not read
 */
export async function bindCondition(request: Request, entity: Entity, condition: Condition): Promise<RowTest> {
  checkFields(grantOf(request.session, entity, 'read'), fieldsOfCondition(condition));
  const related = new Map<RelatedCondition, RowTest>();
  for (const one of relatedConditions(condition)) related.set(one, await bindRelated(request, entity, one));
  return toRowTest(condition, { related });
}

async function bindRelated(request: Request, entity: Entity, condition: RelatedCondition): Promise<RowTest> {
  const relationship = entity.relationships.find(({ name }) => name === condition.relationship);
  const target = settingsOf(request.context).entities?.get(relationship?.target ?? '');
  if (relationship === undefined || target === undefined) return () => false;
  const test = await bindCondition(request, target, condition.where);
  const grant = grantOf(request.session, target, 'read');
  const rows = (await listRows(request.context, target)).filter((row) => grant.allows(row) && test(row));
  return findSources(request, rows, relationship);
}
