import type { Relationship as RelationshipConfig } from '../../../generated/engine/types.js';
import type { Table, Tables } from '../database/table.js';
import { describeLink, type Entity, type Relationship } from './entity.js';

/** A relationship as its entity writes it: fields of other entities still have the names of the database. */
export interface DraftRelationship extends Omit<Relationship, 'linking'> {
  readonly link?: {
    readonly object: string;
    readonly sourceFields: readonly string[];
    readonly targetFields: readonly string[];
  };
}

export function readRelationship(
  name: string,
  config: RelationshipConfig,
  exposed: (field: string) => string,
): DraftRelationship {
  const object = config['linking.object'];
  return {
    name,
    isMany: config.cardinality === 'many',
    target: config['target.entity'],
    sourceFields: (config['source.fields'] ?? []).map(exposed),
    targetFields: config['target.fields'] ?? [],
    ...(object === undefined || object === ''
      ? {}
      : {
          link: {
            object,
            sourceFields: config['linking.source.fields'] ?? [],
            targetFields: config['linking.target.fields'] ?? [],
          },
        }),
  };
}

type Entities = ReadonlyMap<string, Entity>;

interface LinkedEntities {
  readonly entities: Entities;
  /** Tables between entities that are no entities themselves, by name in the database. */
  readonly links: Entities;
}

/**
 * Completes relationships when all entities are known: fields that a relationship leaves out come from the foreign keys of
 * the tables, and all fields get the names that callers see.
 */
export function linkEntities(read: Entities, tables: Tables | undefined): LinkedEntities {
  const links = new Map<string, Entity>();
  const entities = new Map(
    [...read].map(([name, entity]) => {
      const drafts = entity.relationships as readonly DraftRelationship[];
      const relationships = drafts.map((draft) => complete(draft, entity, { read, tables, links }));
      return [name, { ...entity, relationships }] as const;
    }),
  );
  return { entities, links };
}

interface Surroundings {
  readonly read: Entities;
  readonly tables: Tables | undefined;
  readonly links: Map<string, Entity>;
}

function complete(draft: DraftRelationship, entity: Entity, around: Surroundings): Relationship {
  const { link, ...relationship } = draft;
  const target = around.read.get(draft.target);
  if (target === undefined) return relationship;
  if (link === undefined) return { ...relationship, ...joinFields(draft, entity, target, around) };
  const between = findLink(link, entity, target, around);
  return {
    ...relationship,
    sourceFields: draft.sourceFields.length > 0 ? draft.sourceFields : entity.keys,
    targetFields: draft.targetFields.length > 0 ? exposeAll(target, draft.targetFields) : target.keys,
    linking: between,
  };
}

type Fields = Pick<Relationship, 'sourceFields' | 'targetFields'>;

function joinFields(draft: DraftRelationship, entity: Entity, target: Entity, { tables }: Surroundings): Fields {
  const targetFields = exposeAll(target, draft.targetFields);
  if (draft.sourceFields.length > 0 && targetFields.length > 0)
    return { sourceFields: draft.sourceFields, targetFields };
  const own = findForeignKey(tables, entity, target);
  if (own !== undefined) return { sourceFields: own.sourceFields, targetFields: own.targetFields };
  const others = findForeignKey(tables, target, entity);
  return others === undefined
    ? { sourceFields: draft.sourceFields, targetFields }
    : { sourceFields: others.targetFields, targetFields: others.sourceFields };
}

function exposeAll({ mappings }: Pick<Entity, 'mappings'>, fields: readonly string[]): readonly string[] {
  return fields.map((field) => mappings.get(field) ?? field);
}

/** The foreign key by which one entity points to another, in the names that callers see. */
function findForeignKey(
  tables: Tables | undefined,
  from: Pick<Entity, 'object' | 'mappings'>,
  to: Pick<Entity, 'object' | 'mappings' | 'keys'>,
): Fields | undefined {
  const target = tables?.find(to.object);
  const key = tables
    ?.find(from.object)
    ?.foreignKeys.find(({ table }) => target !== undefined && tables.find(table) === target);
  if (key === undefined) return undefined;
  const targets = key.targets.length > 0 ? exposeAll(to, key.targets) : to.keys;
  return { sourceFields: exposeAll(from, key.columns), targetFields: targets };
}

function findLink(
  link: NonNullable<DraftRelationship['link']>,
  entity: Entity,
  target: Entity,
  { read, tables, links }: Surroundings,
): NonNullable<Relationship['linking']> {
  const name = link.object.toLowerCase();
  const known = [...read.values()].find(({ object }) => object.toLowerCase() === name) ?? links.get(name);
  const between = known ?? describeLink(link.object, []);
  const fields = {
    sourceFields:
      link.sourceFields.length > 0
        ? exposeAll(between, link.sourceFields)
        : (findForeignKey(tables, between, entity)?.sourceFields ?? []),
    targetFields:
      link.targetFields.length > 0
        ? exposeAll(between, link.targetFields)
        : (findForeignKey(tables, between, target)?.sourceFields ?? []),
  };
  if (known !== undefined) return { entity: known, ...fields };
  const made = withColumns(describeLink(link.object, [...fields.sourceFields, ...fields.targetFields]), tables);
  links.set(name, made);
  return { entity: made, ...fields };
}

function withColumns(link: Entity, tables: Tables | undefined): Entity {
  const table: Table | undefined = tables?.find(link.object);
  return table === undefined ? link : { ...link, columns: table.columns, isDeclared: true };
}
