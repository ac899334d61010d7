import { getOrInsert } from '../model/maps.js';
import type { SourceFile } from '../model/api.js';
import { type PathFinder, createPathFinder } from '../model/diagnostics/locate.js';
import { appendPointer, splitPointer } from '../model/document/pointer.js';
import type { SpecLocation } from './location.js';
import type { Position } from './api-diff.js';

/** Finds the position of a location in the files of its spec. A missing part gets the position of its parent. */
export type LocationResolver = (location: SpecLocation) => Position;

/** Older names that a document may use for keywords of 2020-12. */
const OLDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['prefixItems', 'items'],
  ['items', 'additionalItems'],
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
  ['dependentSchemas', 'dependencies'],
  ['dependentRequired', 'dependencies'],
  ['examples', 'example'],
]);

/** Finds places in the files of one spec; each file is parsed when it is first needed. */
export function createLocationResolver(files: readonly SourceFile[]): LocationResolver {
  const finders = new Map<string, PathFinder>();
  const locate: LocationResolver = ({ root, steps, fallback }) => {
    const { file, pointer } = root.source;
    const find = getOrInsert(finders, file, () =>
      createPathFinder(files.find(({ path }) => path === file)?.text ?? ''),
    );
    const { path, isWhole } = writtenPath(find, splitPointer(pointer), steps);
    if (!isWhole && fallback !== undefined) return locate(fallback);
    const { line, column } = find(path);
    return { file, line, column, pointer: path.reduce(appendPointer, '') };
  };
  return locate;
}

interface WrittenPath {
  readonly path: readonly string[];
  /** Whether the document contains the whole path. */
  readonly isWhole: boolean;
}

/**
 * The path as in the document. The model uses `anyOf` for nullable schemas and the newest names of keywords. A step
 * that the document does not have under any name ends the path, so that the position is that of its parent.
 */
function writtenPath(find: PathFinder, root: readonly string[], steps: readonly string[]): WrittenPath {
  const whole = [...root, ...steps];
  const { depth } = find(whole);
  if (depth === whole.length) return { path: whole, isWhole: true };
  if (depth < root.length) return { path: root.slice(0, depth), isWhole: false };
  const path = [...root];
  const has = (step: string): boolean => find([...path, step]).depth === path.length + 1;
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index] ?? '';
    const written = [step, OLDER_NAMES.get(step) ?? step].find(has);
    if (written !== undefined) path.push(written);
    else if (step === 'anyOf' && steps[index + 1] === '0') index += 1;
    else if (step !== 'schema') return { path, isWhole: false };
  }
  return { path, isWhole: true };
}
