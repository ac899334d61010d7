import type { Api, Server } from '../../model/api.js';
import { DiffPlace } from '../location.js';
import type { Touch } from '../raw-change.js';
import type { DiffSession, OperationPair, PlacePair } from '../diff-context.js';
import { quote } from '../phrases.js';

/** Compares the servers of whole documents. */
export function compareApiServers(session: DiffSession): void {
  const places = { old: serversOf(session.old), new: serversOf(session.new) };
  compareLists(session, {
    old: session.old.servers,
    new: session.new.servers,
    places,
    touch: { direction: 'request' },
  });
}

/** Compares the servers of an operation, where it has some of its own. */
export function compareServers(pair: OperationPair): void {
  const { session, old, new: next } = pair;
  if (old.servers === session.old.servers && next.servers === session.new.servers) return;
  const places = {
    old: pair.oldPlace.child('servers').orElse(serversOf(session.old)),
    new: pair.newPlace.child('servers').orElse(serversOf(session.new)),
  };
  compareLists(session, { old: old.servers, new: next.servers, places, touch: pair.touch('request') });
}

/** `servers`, or what OpenAPI 2.0 has in its place. */
function serversOf({ files, dialect }: Api): DiffPlace {
  const root = DiffPlace.at({ file: files[0]?.path ?? '', pointer: '' });
  return dialect === 'openapi-2.0' ? root.child('basePath').orElse(root.child('host')) : root.child('servers');
}

interface ServerLists {
  readonly old: readonly Server[];
  readonly new: readonly Server[];
  readonly places: PlacePair;
  readonly touch: Touch;
}

function compareLists(session: DiffSession, { old, new: next, places, touch }: ServerLists): void {
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
      session.report({ kind: 'base-path-changed', message, ...places }, [touch]);
    } else if (url !== basePath)
      session.report({ kind: 'server-removed', message: `The server ${quote(url)} is gone`, ...places }, [touch]);
  }
  for (const url of urls)
    if (!oldUrls.has(url) && url !== basePathOf(url))
      session.report({ kind: 'server-added', message: `The server ${quote(url)} is new`, ...places }, [touch]);
}

/** The address as written, without a slash at its end. */
function addressOf({ url }: Server): string {
  return url.replace(/\/+$/, '');
}

/** `https://api.example.com/v1` -> `/v1` */
function basePathOf(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '');
}
