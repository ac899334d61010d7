import type { HandlerContext, JsonSchema } from 'specmill/mock';

import { DEFAULT_KEY, type Entity, describeUnconfigured } from './configuration/entity.js';
import { type EngineSettings, settingsOf } from './configuration/settings.js';
import { entityNotFound } from './refusals.js';

export type Context = Pick<HandlerContext, 'collection' | 'config'>;

interface EntityRecord {
  readonly name: string;
  /** The fields of its primary key, if no configuration names them. */
  readonly keys?: readonly string[];
  /** Fields that its rows may have. Default: those of its first row, or any if nothing describes the entity. */
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
    fields: { type: 'array', items: { type: 'string' } },
  },
};

function records(context: Context) {
  return context.collection<EntityRecord>(ENTITIES);
}

async function findEntity(context: Context, name: string): Promise<Entity | undefined> {
  const { entities } = settingsOf(context);
  if (entities !== undefined) return entities.get(name);
  const record = await records(context).get(name);
  return record === undefined ? undefined : toEntity(record, settingsOf(context));
}

function toEntity({ name, keys = [DEFAULT_KEY], fields }: EntityRecord, settings: EngineSettings): Entity {
  const { cacheSeconds, graphql } = settings;
  return describeUnconfigured(name, keys, {
    isOpen: fields === undefined,
    aggregates: graphql.aggregates,
    ...(cacheSeconds === undefined ? {} : { cacheSeconds }),
  });
}

/** @throws HttpError 404 */
export async function requireEntity(context: Context, name: string): Promise<Entity> {
  const entity = await findEntity(context, name);
  if (entity === undefined) throw entityNotFound(name);
  return entity;
}

/** Returns an entity. Without a configuration, creates it if it does not exist. @throws HttpError 404 */
export async function openEntity(context: Context, name: string, key: string = DEFAULT_KEY): Promise<Entity> {
  const settings = settingsOf(context);
  if (settings.entities !== undefined) return requireEntity(context, name);
  const made = { name, keys: [key] };
  return toEntity((await records(context).update(name, (known) => known ?? made)) ?? made, settings);
}

export async function listEntities(context: Context): Promise<readonly Entity[]> {
  const settings = settingsOf(context);
  if (settings.entities !== undefined) return [...settings.entities.values()];
  const { items } = await records(context).query();
  return items.map(({ value }) => toEntity(value, settings));
}

/** Returns the entity that REST serves at a path. @throws HttpError 404 */
export async function requireRestEntity(context: Context, path: string): Promise<Entity> {
  const { entities } = settingsOf(context);
  if (entities === undefined) return requireEntity(context, path);
  const found = [...entities.values()].find(({ restPath }) => restPath === path);
  if (found === undefined) throw entityNotFound(path);
  return found;
}

/** Like {@link requireRestEntity}, but without a configuration, creates the entity if it does not exist. */
export async function openRestEntity(context: Context, path: string, key?: string): Promise<Entity> {
  return settingsOf(context).entities === undefined ? openEntity(context, path, key) : requireRestEntity(context, path);
}

/** The fields that rows of an entity may have; `undefined` if any are allowed. */
export async function allowedFields(context: Context, entity: Entity): Promise<ReadonlySet<string> | undefined> {
  if (entity.isOpen) return undefined;
  const fields = (await records(context).get(entity.name))?.fields;
  return fields === undefined ? undefined : new Set([...entity.keys, ...entity.fields, ...fields]);
}

/** Fixes the fields of an entity that is not open, if they are not known yet. */
export async function learnFields(context: Context, entity: Entity, names: readonly string[]): Promise<void> {
  const fields = names.filter((name) => !entity.keys.includes(name));
  if (entity.isOpen || fields.length === 0) return;
  await declareFields(context, entity.name, fields);
}

export async function declareFields(context: Context, name: string, fields: readonly string[]): Promise<void> {
  await records(context).update(name, (known) => ({ name, fields, ...known }));
}
