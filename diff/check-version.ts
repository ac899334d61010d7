import { SpecLocation } from './location.js';
import type { DiffContext } from './diff-context.js';
import { type Locators, mergeChanges } from './merge-changes.js';
import { quote } from './phrases.js';
import type { Change } from './types.js';

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
