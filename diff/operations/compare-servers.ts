import type { Api, Server } from '../../model/api.js';
import { type LocationPair, SpecLocation } from '../location.js';
import type { Usage } from '../raw-change.js';
import type { DiffContext, OperationPair } from '../diff-context.js';
import type { ChangeKind } from '../change-catalog.js';
import { quoteShort } from '../phrases.js';

/** Compares the servers of whole documents. */
export function compareApiServers(context: DiffContext): void {
  const { old, new: next } = context;
  const locations = { old: serversOf(old), new: serversOf(next) };
  compareLists(context, { old: old.servers, new: next.servers, locations, usage: { direction: 'request' } });
}

/** Compares the servers of an operation, if it has its own. */
export function compareServers(pair: OperationPair): void {
  const { context, old, new: next } = pair;
  if (old.servers === context.old.servers && next.servers === context.new.servers) return;
  const locations = {
    old: pair.oldLocation.child('servers').orElse(serversOf(context.old)),
    new: pair.newLocation.child('servers').orElse(serversOf(context.new)),
  };
  compareLists(context, { old: old.servers, new: next.servers, locations, usage: pair.usage('request') });
}

/** The location of `servers`, or of its equivalent in OpenAPI 2.0. */
function serversOf(api: Api): SpecLocation {
  const root = SpecLocation.ofApi(api);
  return api.dialect === 'openapi-2.0' ? root.child('basePath').orElse(root.child('host')) : root.child('servers');
}

interface ServerLists {
  readonly old: readonly Server[];
  readonly new: readonly Server[];
  readonly locations: LocationPair;
  readonly usage: Usage;
}

function compareLists(context: DiffContext, { old, new: next, locations, usage }: ServerLists): void {
  const report = (kind: ChangeKind, message: string): void => context.report({ kind, message, ...locations }, [usage]);
  const oldUrls = new Set(old.map(addressOf));
  const urls = new Set(next.map(addressOf));
  const basePaths = new Set([...urls].map(basePathOf));
  const reported = new Set<string>();
  for (const url of oldUrls) {
    const basePath = basePathOf(url);
    if (urls.has(url) || reported.has(basePath)) continue;
    if (!basePaths.has(basePath)) {
      reported.add(basePath);
      const left = [...basePaths].map(showBasePath).join(', ');
      report('base-path-changed', `No server has the base path ${showBasePath(basePath)} any more; there is ${left}`);
    } else if (url !== basePath) report('server-removed', `The server ${quoteShort(url)} is gone`);
  }
  for (const url of urls)
    if (!oldUrls.has(url) && url !== basePathOf(url)) report('server-added', `The server ${quoteShort(url)} is new`);
}

function showBasePath(basePath: string): string {
  return quoteShort(basePath === '' ? '/' : basePath);
}

/** The address as written, without a trailing slash. */
function addressOf({ url }: Server): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

/** `https://api.example.com/v1` -> `/v1` */
function basePathOf(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '');
}
