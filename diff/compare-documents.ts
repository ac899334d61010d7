import type { Api } from '../model/api.js';
import { DiffPlace } from './location.js';
import { findExtensionFacts } from './operations/compare-extensions.js';
import { stableText } from './schemas/canonical-json.js';
import type { DiffSession } from './diff-context.js';
import { wasAndIs } from './phrases.js';

/** Compares what the documents say of the whole API. */
export function compareDocuments(session: DiffSession): void {
  const { old, new: next } = session;
  const touches = [{ direction: 'request' as const }];
  for (const keyword of ['title', 'version'] as const) {
    if (old[keyword] === next[keyword]) continue;
    session.report(
      {
        kind: 'info-changed',
        message: `The ${keyword} of the API ${wasAndIs(old[keyword], next[keyword])}`,
        ...infoPlaces(session, keyword),
      },
      touches,
    );
  }
  if (old.description !== next.description)
    session.report(
      {
        kind: 'info-changed',
        message: 'The description of the API has changed',
        ...infoPlaces(session, 'description'),
      },
      touches,
    );
  if (stableText(old.tags) !== stableText(next.tags))
    session.report(
      {
        kind: 'info-changed',
        message: 'The list of tags has changed',
        old: rootOf(old).child('tags'),
        new: rootOf(next).child('tags'),
      },
      touches,
    );
  const roots = [old, next].map(({ extensions, files }) => ({
    extensions,
    source: { file: files[0]?.path ?? '', pointer: '' },
  }));
  const [was, is] = roots;
  if (was === undefined || is === undefined) return;
  for (const fact of findExtensionFacts({ old: was, new: is, title: 'the API' })) session.report(fact, touches);
}

function infoPlaces(session: DiffSession, keyword: string): { readonly old: DiffPlace; readonly new: DiffPlace } {
  return { old: rootOf(session.old).child('info', keyword), new: rootOf(session.new).child('info', keyword) };
}

function rootOf({ files }: Api): DiffPlace {
  return DiffPlace.at({ file: files[0]?.path ?? '', pointer: '' });
}
