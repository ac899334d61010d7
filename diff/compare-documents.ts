import { SpecLocation } from './location.js';
import { findExtensionChanges } from './operations/compare-words.js';
import { canonicalJson } from './schemas/canonical-json.js';
import type { DiffContext } from './diff-context.js';
import { describeChange } from './phrases.js';

/** Compares what the documents say of the whole API. */
export function compareDocuments(context: DiffContext): void {
  const { old, new: next } = context;
  const usages = [{ direction: 'request' as const }];
  const [was, is] = [SpecLocation.ofApi(old), SpecLocation.ofApi(next)];
  const report = (message: string, ...steps: string[]): void =>
    context.report({ kind: 'info-changed', message, old: was.child(...steps), new: is.child(...steps) }, usages);
  for (const keyword of ['title', 'version'] as const)
    if (old[keyword] !== next[keyword])
      report(`The ${keyword} of the API ${describeChange(old[keyword], next[keyword])}`, 'info', keyword);
  if (old.description !== next.description) report('The description of the API has changed', 'info', 'description');
  if (canonicalJson(old.tags) !== canonicalJson(next.tags)) report('The list of tags has changed', 'tags');
  const changes = findExtensionChanges({
    old: { extensions: old.extensions, source: was.root.source },
    new: { extensions: next.extensions, source: is.root.source },
    title: 'the API',
  });
  for (const change of changes) context.report(change, usages);
}
