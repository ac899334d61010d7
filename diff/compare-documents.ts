import type { Api } from '../model/api.js';
import { SpecLocation } from './location.js';
import { findExtensionChanges } from './operations/compare-extensions.js';
import { canonicalJson } from './schemas/canonical-json.js';
import type { DiffContext } from './diff-context.js';
import { describeChange } from './phrases.js';

/** Compares what the documents say of the whole API. */
export function compareDocuments(context: DiffContext): void {
  const { old, new: next } = context;
  const usages = [{ direction: 'request' as const }];
  for (const keyword of ['title', 'version'] as const) {
    if (old[keyword] === next[keyword]) continue;
    context.report(
      {
        kind: 'info-changed',
        message: `The ${keyword} of the API ${describeChange(old[keyword], next[keyword])}`,
        ...infoPlaces(context, keyword),
      },
      usages,
    );
  }
  if (old.description !== next.description)
    context.report(
      {
        kind: 'info-changed',
        message: 'The description of the API has changed',
        ...infoPlaces(context, 'description'),
      },
      usages,
    );
  if (canonicalJson(old.tags) !== canonicalJson(next.tags))
    context.report(
      {
        kind: 'info-changed',
        message: 'The list of tags has changed',
        old: rootOf(old).child('tags'),
        new: rootOf(next).child('tags'),
      },
      usages,
    );
  const roots = [old, next].map(({ extensions, files }) => ({
    extensions,
    source: { file: files[0]?.path ?? '', pointer: '' },
  }));
  const [was, is] = roots;
  if (was === undefined || is === undefined) return;
  for (const change of findExtensionChanges({ old: was, new: is, title: 'the API' })) context.report(change, usages);
}

function infoPlaces(context: DiffContext, keyword: string): { readonly old: SpecLocation; readonly new: SpecLocation } {
  return { old: rootOf(context.old).child('info', keyword), new: rootOf(context.new).child('info', keyword) };
}

function rootOf({ files }: Api): SpecLocation {
  return SpecLocation.at({ file: files[0]?.path ?? '', pointer: '' });
}
