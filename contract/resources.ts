import type { Operation } from '../model/api.js';

/** A collection and its items, as the paths of a spec show them. */
export interface Resource {
  /** Path of the collection, such as `/books`. */
  readonly path: string;
  /** Path of an item, such as `/books/{bookId}`. */
  readonly itemPath: string;
  /** Name of the last path parameter. */
  readonly parameter: string;
  readonly list?: Operation;
  readonly create?: Operation;
  readonly read?: Operation;
  readonly replace?: Operation;
  readonly change?: Operation;
  readonly remove?: Operation;
}

/** Finds collections whose items can be reached one by one: `/books` beside `/books/{id}`. */
export function findResources(operations: readonly Operation[]): Resource[] {
  const itemPaths = [...new Set(operations.map(({ path }) => path))].filter((path) => /\/\{[^{}]+\}$/.test(path));
  return itemPaths.map((itemPath) => {
    const path = itemPath.slice(0, itemPath.lastIndexOf('/'));
    const at = (method: Operation['method'], on: string): Operation | undefined =>
      operations.find((operation) => operation.method === method && operation.path === on);
    const found = {
      list: at('get', path),
      create: at('post', path),
      read: at('get', itemPath),
      replace: at('put', itemPath),
      change: at('patch', itemPath),
      remove: at('delete', itemPath),
    };
    const known = Object.fromEntries(Object.entries(found).filter(([, operation]) => operation !== undefined));
    return { path, itemPath, parameter: itemPath.slice(itemPath.lastIndexOf('{') + 1, -1), ...known };
  });
}

/** The id of an item, from its body or from the `Location` of its creation. */
export function idOf(item: unknown, parameter: string, location?: string | null): string | number | undefined {
  const own = idMember(item, parameter);
  if (own !== undefined) return own;
  const inner = typeof item === 'object' && item !== null ? Object.values(item) : [];
  const wrapped = inner.filter((member) => typeof member === 'object' && member !== null && !Array.isArray(member));
  const nested = wrapped.length === 1 ? idMember(wrapped[0], parameter) : undefined;
  if (nested !== undefined) return nested;
  const last = location?.split(/[?#]/, 1)[0]?.split('/').at(-1);
  if (last === undefined || last === '') return undefined;
  try {
    return decodeURIComponent(last);
  } catch {
    return undefined;
  }
}

function idMember(item: unknown, parameter: string): string | number | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const members = new Map(Object.entries(item).map(([name, value]) => [plain(name), value as unknown]));
  const wanted = plain(parameter);
  const names = [wanted, ...(wanted.endsWith('id') ? ['id'] : ['id', `${wanted}id`])];
  const value = names
    .map((name) => members.get(name))
    .find((one) => typeof one === 'string' || typeof one === 'number');
  // A name with its collection before it, such as `files/abc`: the path has the collection already.
  if (typeof value === 'string') return value.split('/').at(-1);
  return typeof value === 'number' ? value : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The list of items in an answer: the answer itself, or its only list. */
export function itemsIn(body: unknown): readonly unknown[] | undefined {
  if (Array.isArray(body)) return body;
  if (typeof body !== 'object' || body === null) return undefined;
  const lists = Object.values(body).filter((member): member is unknown[] => Array.isArray(member));
  return lists.length === 1 ? lists[0] : undefined;
}
