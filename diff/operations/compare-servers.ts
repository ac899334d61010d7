import type { Api, Server } from '../../model/api.js';
import { SpecLocation } from '../location.js';
import type { Usage } from '../raw-change.js';
import type { DiffContext, OperationPair, LocationPair } from '../diff-context.js';
import { quote } from '../phrases.js';

/** Compares the servers of whole documents. */
export function compareApiServers(context: DiffContext): void {
  const locations = { old: serversOf(context.old), new: serversOf(context.new) };
  compareLists(context, {
    old: context.old.servers,
    new: context.new.servers,
    locations,
    usage: { direction: 'request' },
  });
}

/** Compares the servers of an operation, where it has some of its own. */
export function compareServers(pair: OperationPair): void {
  const { context, old, new: next } = pair;
  if (old.servers === context.old.servers && next.servers === context.new.servers) return;
  const locations = {
    old: pair.oldLocation.child('servers').orElse(serversOf(context.old)),
    new: pair.newLocation.child('servers').orElse(serversOf(context.new)),
  };
  compareLists(context, { old: old.servers, new: next.servers, locations, usage: pair.usage('request') });
}

/** `servers`, or what OpenAPI 2.0 has in its place. */
function serversOf({ files, dialect }: Api): SpecLocation {
  const root = SpecLocation.at({ file: files[0]?.path ?? '', pointer: '' });
  return dialect === 'openapi-2.0' ? root.child('basePath').orElse(root.child('host')) : root.child('servers');
}

interface ServerLists {
  readonly old: readonly Server[];
  readonly new: readonly Server[];
  readonly locations: LocationPair;
  readonly usage: Usage;
}

function compareLists(context: DiffContext, { old, new: next, locations, usage }: ServerLists): void {
  const oldUrls = new Set(old.map(addressOf));
  const urls = new Set(next.map(addressOf));
  const basePaths = new Set([...urls].map(basePathOf));
  const reported = new Set<string>();
  for (const url of oldUrls) {
    const basePath = basePathOf(url);
    if (urls.has(url) || reported.has(basePath)) continue;
    if (!basePaths.has(basePath)) {
      reported.add(basePath);
      const message = `No server has the base path ${quote(basePath === '' ? '/' : basePath)} any more; there is ${[...basePaths].map((one) => quote(one === '' ? '/' : one)).join(', ')}`;
      context.report({ kind: 'base-path-changed', message, ...locations }, [usage]);
    } else if (url !== basePath)
      context.report({ kind: 'server-removed', message: `The server ${quote(url)} is gone`, ...locations }, [usage]);
  }
  for (const url of urls)
    if (!oldUrls.has(url) && url !== basePathOf(url))
      context.report({ kind: 'server-added', message: `The server ${quote(url)} is new`, ...locations }, [usage]);
}

/** The address as written, without a slash at its end. */
function addressOf({ url }: Server): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

/** `https://api.example.com/v1` -> `/v1` */
function basePathOf(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '');
}
