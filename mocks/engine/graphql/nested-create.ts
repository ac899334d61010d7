import { isRecord } from 'specmill/mock';

import type { Row } from '../../../generated/engine/types.js';
import type { Entity, Relationship } from '../configuration/entity.js';
import { settingsOf } from '../configuration/settings.js';
import { withoutFields } from '../fit-row.js';
import { grantOf } from '../grants.js';
import { refuse } from '../refusals.js';
import { keyTextsOf, putRow, rowsOf, toKey } from '../rows.js';
import { fieldOf } from '../sort-rows.js';
import { createRow } from '../write-rows.js';
import type { GraphqlRequest } from './arguments.js';

type Request = Pick<GraphqlRequest, 'context' | 'session'>;

/**
 * Creates rows together with the rows that they contain by the names of relationships. All of them are created, or none.
 *
 * @throws HttpError if one cannot be created
 */
export async function createRows(request: Request, entity: Entity, items: readonly Row[]): Promise<readonly Row[]> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const rows: Row[] = [];
    for (const item of items) rows.push(await createTree(request, { entity, item, undo }));
    return rows;
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw error;
  }
}

interface Tree {
  readonly entity: Entity;
  readonly item: Row;
  /** Steps that delete what was created. */
  readonly undo: (() => Promise<unknown>)[];
}

interface Nested {
  readonly relationship: Relationship;
  readonly target: Entity;
  readonly items: readonly Row[];
}

async function createTree(request: Request, { entity, item, undo }: Tree): Promise<Row> {
  const nested = nestedOf(request, entity, item);
  const fields: Record<string, unknown> = withoutFields(
    item,
    nested.map(({ relationship }) => relationship.name),
  );
  // A row that this one points to comes first, because it gives the value of the foreign key.
  for (const one of nested.filter(isBefore)) {
    const [only] = one.items;
    if (one.items.length !== 1 || only === undefined)
      throw refuse(400, `The relationship ${one.relationship.name} leads to one row.`);
    const made = await createTree(request, { entity: one.target, item: only, undo });
    for (const [index, field] of one.relationship.sourceFields.entries())
      fields[field] = fieldOf(made, one.relationship.targetFields[index] ?? '');
  }
  const row = await createRow(request.context, entity, {
    ...{ fields: fields as Row, session: request.session, unknown: 'refuse' },
  });
  undo.push(() => rowsOf(request.context).delete(toKey(entity, keyTextsOf(entity, row))));
  for (const one of nested.filter((other) => !isBefore(other))) await createAfter(request, { row, undo }, one);
  return row;
}

/** Creates rows that point to a row, or that a linking table connects with it. */
async function createAfter(
  request: Request,
  { row, undo }: Pick<Tree, 'undo'> & { readonly row: Row },
  { relationship, target, items }: Nested,
): Promise<void> {
  const { sourceFields, targetFields, linking } = relationship;
  for (const item of items) {
    const pointers =
      linking === undefined ? targetFields.map((field, index) => [field, sourceFields[index] ?? '']) : [];
    const pointing = Object.fromEntries(pointers.map(([field = '', own = '']) => [field, fieldOf(row, own)]));
    const made = await createTree(request, { entity: target, item: { ...item, ...pointing }, undo });
    if (linking === undefined) continue;
    const link = Object.fromEntries([
      ...linking.sourceFields.map((field, index) => [field, fieldOf(row, sourceFields[index] ?? '')] as const),
      ...linking.targetFields.map((field, index) => [field, fieldOf(made, targetFields[index] ?? '')] as const),
    ]);
    await createLink(request, linking.entity, { link, undo });
  }
}

async function createLink(
  request: Request,
  entity: Entity,
  { link, undo }: Pick<Tree, 'undo'> & { readonly link: Row },
): Promise<void> {
  const row = entity.isLink
    ? link
    : await createRow(request.context, entity, { fields: link, session: request.session, unknown: 'refuse' });
  const values = keyTextsOf(entity, row);
  if (entity.isLink) await putRow(request.context, entity, values, row);
  undo.push(() => rowsOf(request.context).delete(toKey(entity, values)));
}

/** Whether the row of a relationship exists before the one that has the relationship: its key is the target. */
function isBefore({ relationship, target }: Nested): boolean {
  const { isMany, linking, targetFields } = relationship;
  return !isMany && linking === undefined && target.keys.join() === targetFields.join();
}

function nestedOf({ context, session }: Request, entity: Entity, item: Row): readonly Nested[] {
  const { entities, graphql } = settingsOf(context);
  if (!graphql.createsMany) return [];
  return entity.relationships.flatMap((relationship) => {
    const target = entities?.get(relationship.target);
    const given = Object.hasOwn(item, relationship.name) ? item[relationship.name] : null;
    if (target === undefined || given == null) return [];
    grantOf(session, target, 'create');
    const items: readonly unknown[] = Array.isArray(given) ? given : [given];
    return [{ relationship, target, items: items.filter(isRecord) as Row[] }];
  });
}
