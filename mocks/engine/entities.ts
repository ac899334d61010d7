import type { HandlerContext, JsonSchema } from 'specmill/mock';

import { type Column, type Columns, guessColumn } from './columns/column.js';
import { DEFAULT_KEY, type Entity, describeUnconfigured } from './configuration/entity.js';
import { type EngineSettings, settingsOf } from './configuration/settings.js';
import { entityNotFound } from './refusals.js';

export type Context = Pick<HandlerContext, 'clock' | 'collection' | 'config' | 'random'>;
type StoredContext = Pick<Context, 'collection' | 'config'>;

/** What the state knows of an entity. */
interface EntityRecord {
  readonly name: string;
  /** The fields of its primary key, if no configuration names them. */
  readonly keys?: readonly string[];
  /** The columns of the rows that it started with; its rows have no others. */
  readonly columns?: readonly Column[];
  /** All fields that its rows have had, if nothing declares them. */
  readonly fields?: readonly string[];
}

export const ENTITIES = 'entities';
/** The schema of a restored {@link EntityRecord}. */
export const ENTITY_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    keys: { type: 'array', items: { type: 'string' }, minItems: 1 },
    columns: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'type', 'nullable'],
        properties: { name: { type: 'string' }, type: { type: 'string' }, nullable: { type: 'boolean' } },
      },
    },
    fields: { type: 'array', items: { type: 'string' } },
  },
};

function records(context: StoredContext) {
  return context.collection<EntityRecord>(ENTITIES);
}

async function findEntity(context: StoredContext, name: string): Promise<Entity | undefined> {
  const { entities } = settingsOf(context);
  if (entities !== undefined) return entities.get(name);
  const record = await records(context).get(name);
  return record === undefined ? undefined : toEntity(record, settingsOf(context));
}

function toEntity({ name, keys = [DEFAULT_KEY] }: EntityRecord, settings: EngineSettings): Entity {
  const { cacheSeconds, graphql } = settings;
  const { aggregates } = graphql;
  return describeUnconfigured(name, keys, { aggregates, ...(cacheSeconds === undefined ? {} : { cacheSeconds }) });
}

/** @throws HttpError 404 */
export async function requireEntity(context: StoredContext, name: string): Promise<Entity> {
  const entity = await findEntity(context, name);
  if (entity === undefined) throw entityNotFound(name);
  return entity;
}

/** Returns an entity. Without a configuration, creates it if it does not exist. @throws HttpError 404 */
export async function openEntity(context: StoredContext, name: string, key: string = DEFAULT_KEY): Promise<Entity> {
  const settings = settingsOf(context);
  if (settings.entities !== undefined) return requireEntity(context, name);
  const made = { name, keys: [key] };
  return toEntity((await records(context).update(name, (known) => known ?? made)) ?? made, settings);
}

export async function listEntities(context: StoredContext): Promise<readonly Entity[]> {
  const settings = settingsOf(context);
  if (settings.entities !== undefined) return [...settings.entities.values()];
  const { items } = await records(context).query();
  return items.map(({ value }) => toEntity(value, settings));
}

/** Returns the entity that REST serves at a path. @throws HttpError 404 */
export async function requireRestEntity(context: StoredContext, path: string): Promise<Entity> {
  const { entities } = settingsOf(context);
  if (entities === undefined) return requireEntity(context, path);
  const found = [...entities.values()].find(({ restPath }) => restPath === path);
  if (found === undefined) throw entityNotFound(path);
  return found;
}

/** Like {@link requireRestEntity}, but without a configuration, creates the entity if it does not exist. */
export async function openRestEntity(context: StoredContext, path: string, key?: string): Promise<Entity> {
  return settingsOf(context).entities === undefined ? openEntity(context, path, key) : requireRestEntity(context, path);
}

/** The columns of an entity's rows. */
export interface RowShape {
  readonly columns: Columns;
  /** Whether rows may have further fields, because nothing declares all of them. */
  readonly isOpen: boolean;
}

/**
 * Returns the columns of an entity: those that are declared, else those of the rows that it started with, else all fields
 * that its rows have had.
 */
export async function shapeOf(context: StoredContext, entity: Entity): Promise<RowShape> {
  const { columns: declared, isDeclared } = entity;
  const { columns, fields = [] } = (await records(context).get(entity.name)) ?? {};
  const started = new Map((columns ?? []).map((column) => [column.name, column]));
  if (isDeclared) return { columns: withTypes(declared, started), isOpen: false };
  const names = columns === undefined ? fields : [...started.keys()];
  const all = new Set([...entity.keys, ...declared.keys(), ...names]);
  const known = [...all].map(
    (name) => [name, started.get(name) ?? declared.get(name) ?? guessColumn(name, [])] as const,
  );
  return { columns: new Map(known), isOpen: columns === undefined };
}

/** Whether rows of an entity may have a field. The database name of one for which callers see another name is no field. */
export function hasField({ mappings }: Pick<Entity, 'mappings'>, { columns, isOpen }: RowShape, name: string): boolean {
  return columns.has(name) || (isOpen && !mappings.has(name));
}

/** Columns that are declared without a type have that of the rows that the entity started with. */
function withTypes(declared: Columns, started: Columns): Columns {
  if (started.size === 0) return declared;
  return new Map(
    [...declared].map(([name, column]) => {
      const { type = column.type } = (column.isGuess === true ? started.get(name) : undefined) ?? {};
      return [name, { ...column, type }] as const;
    }),
  );
}

/** Notes the fields of a new row of an open entity. */
export async function learnFields(context: StoredContext, entity: Entity, names: readonly string[]): Promise<void> {
  const { columns, isOpen } = await shapeOf(context, entity);
  if (!isOpen || names.every((name) => columns.has(name))) return;
  await records(context).update(entity.name, (known) => ({
    ...{ name: entity.name, ...known },
    fields: [...new Set([...(known?.fields ?? []), ...names])],
  }));
}

/** Fixes the columns of an entity that starts with rows. */
export async function declareColumns(context: StoredContext, name: string, columns: readonly Column[]): Promise<void> {
  await records(context).update(name, (known) => ({ name, ...known, columns }));
}
