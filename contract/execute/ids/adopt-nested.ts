import type { Operation } from '../../../model/api.js';
import type { Resource } from '../../../resources/resource.js';

/**
 * Adds the nested creation and list to a resource: `POST /articles/{id}/comments` creates the items of
 * `/comments/{id}`, and `GET` lists them. Their last words match.
 */
export function adoptNested(resource: Resource, operations: readonly Operation[]): Resource {
  const { kind, create, list, name, creators } = resource;
  if (kind !== 'collection' || create !== undefined || creators.length > 0 || list !== undefined) return resource;
  const word = name.split('/').at(-2);
  const isNested = ({ path }: Operation): boolean => path.endsWith(`}/${word ?? ''}`);
  const creation = operations.find(
    (one) => one.method === 'post' && isNested(one) && one.responses.some(({ status }) => status === '201'),
  );
  if (creation === undefined) return resource;
  const listing = operations.find(({ method, path }) => method === 'get' && path === creation.path);
  const views = resource.views.filter((view) => view !== creation && view !== listing);
  return { ...resource, create: creation, views, ...(listing === undefined ? {} : { list: listing }) };
}
