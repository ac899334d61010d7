import { appendPointer } from 'specmill/mock';

import { isGraphqlName, lowerFirst, OWN_TYPES, typeNamesOf } from '../graphql/names.js';
import type { ConfigReader } from './config-reader.js';
import type { Entity } from './entity.js';

/**
 * Checks what only all entities together show.
 *
 * @throws InputError for two entities at one path or with one name in GraphQL, a name that GraphQL cannot have, or a
 *   relationship to an unknown entity
 */
export function checkEntities(entities: ReadonlyMap<string, Entity>, readers: readonly ConfigReader[]): void {
  const taken = { paths: new Map<string, string>(), names: new Map<string, string>() };
  for (const entity of entities.values()) {
    const { name, relationships, restPath } = entity;
    const reader = readers.find(({ config }) => Object.hasOwn(config.entities ?? {}, name));
    const problem = (pointer: string, message: string) =>
      (reader ?? readers[0])?.problem(
        reader === undefined ? '/autoentities' : appendPointer('/entities', name) + pointer,
        message,
      );
    const other = restPath === undefined ? undefined : taken.paths.get(restPath);
    if (other !== undefined) throw problem('', `The entity ${other} has the path /${restPath} too.`);
    if (restPath !== undefined) taken.paths.set(restPath, name);
    const wrong = findNameProblem(entity, taken.names);
    if (wrong !== undefined) throw problem('/graphql', wrong);
    const lost = relationships.find(({ target }) => !entities.has(target));
    if (lost === undefined) continue;
    throw problem(`/relationships/${lost.name}/target.entity`, `There is no entity ${lost.target}.`);
  }
}

/** Checks the names that an entity has in GraphQL, and notes them. */
function findNameProblem({ name, graphql, kind }: Entity, taken: Map<string, string>): string | undefined {
  if (graphql === undefined) return undefined;
  const { singular, plural } = graphql;
  const bad = [singular, plural].find((one) => !isGraphqlName(one));
  if (bad !== undefined)
    return `${JSON.stringify(bad)} is no name of GraphQL: a name has letters, digits and underscores. Set graphql.type or graphql: false.`;
  const own = typeNamesOf(singular).find((one) => OWN_TYPES.has(one));
  if (own !== undefined) return `GraphQL has a type ${own} of its own. Set graphql.type to another name.`;
  const types = typeNamesOf(singular).map((one) => `the type ${one}`);
  const fields = [`${lowerFirst(singular)}_by_pk`, lowerFirst(plural)].map((one) => `the query ${one}`);
  for (const one of [...types, ...(kind === 'stored-procedure' ? [] : fields)]) {
    const other = taken.get(one);
    if (other !== undefined) return `The entity ${other} has ${one} in GraphQL too. Set graphql.type to another name.`;
    taken.set(one, name);
  }
  return undefined;
}
