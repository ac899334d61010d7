import { SpecLocation } from './location.js';
import { findExtensionChanges } from './operations/compare-words.js';
import { canonicalJson } from './schemas/canonical-json.js';
import type { DiffContext } from './diff-context.js';
import { type Locators, mergeChanges } from './merge-changes.js';
import { describeChange, quote } from './phrases.js';
import type { Change } from './types.js';

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

/** Adds a change where something breaks and the major version stays. Versions below 1.0.0 promise nothing. */
export function checkVersion(changes: readonly Change[], context: DiffContext, locate: Locators): readonly Change[] {
  const [was, is] = [majorOf(context.old.version), majorOf(context.new.version)];
  const breaks = changes.some(({ level }) => level === 'breaking');
  if (!breaks || was === undefined || is === undefined || was === 0 || is > was) return changes;
  const message = `Something breaks, and the version is ${quote(context.new.version)}, was ${quote(context.old.version)}`;
  const place = (api: DiffContext['old']): SpecLocation => SpecLocation.ofApi(api).child('info', 'version');
  const change = { kind: 'version-not-raised' as const, message, old: place(context.old), new: place(context.new) };
  const [added] = mergeChanges([{ change, usages: [{ direction: 'request' }] }], locate);
  const first = changes.findIndex(({ level }) => level !== 'breaking');
  return added === undefined ? changes : changes.toSpliced(first === -1 ? changes.length : first, 0, added);
}

/** The major version of a semantic version with three parts. */
function majorOf(version: string): number | undefined {
  const [, major] = /^v?(\d+)\.\d+\.\d+(?:[-+]|$)/.exec(version) ?? [];
  return major === undefined ? undefined : Number(major);
}
