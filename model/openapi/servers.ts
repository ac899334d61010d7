import type { Server } from '../api.js';
import type { Cursor } from '../document/cursor.js';
import { type OpenApiReader, definedMembers } from './reader.js';

/** Reads `servers`; `undefined` if it is absent. */
export function readServers(owner: Cursor): Server[] | undefined {
  const servers = owner.itemsAt('servers');
  // An empty list means the same as none.
  if (servers.length === 0) return undefined;
  return servers.map((server) => ({
    url: server.string('url') ?? '/',
    ...definedMembers({ name: server.string('name'), description: server.string('description') }),
    variables: Object.fromEntries(
      server.entriesAt('variables').map(([name, variable]) => [name, readVariable(variable)]),
    ),
  }));
}

function readVariable(cursor: Cursor): Server['variables'][string] {
  return {
    default: cursor.string('default') ?? '',
    ...definedMembers({ description: cursor.string('description') }),
    ...(cursor.at('enum').exists ? { enum: cursor.strings('enum') } : {}),
  };
}

/** The servers of the whole document: `servers`, or `schemes`, `host` and `basePath` of OpenAPI 2.0. */
export function readDocumentServers(reader: OpenApiReader): Server[] {
  const { root } = reader;
  if (reader.version !== '2.0') return readServers(root) ?? [{ url: '/', variables: {} }];
  const basePath = root.string('basePath') ?? '/';
  const host = root.string('host');
  if (host === undefined) return [{ url: basePath, variables: {} }];
  const schemes = root.strings('schemes');
  return (schemes.length > 0 ? schemes : ['https']).map((scheme) => ({
    url: `${scheme}://${host}${basePath}`,
    variables: {},
  }));
}
