import type { Content } from '../../generated/generation/types.js';

interface Known<T> {
  readonly index: number;
  readonly before: Content | undefined;
  readonly sum: T;
}

/**
 * Makes a function that folds over contents and remembers the result up to each of them: a live session reads its whole
 * history again for each turn, so only the new turns cost time. `step` must not change the sum that it gets.
 */
export function foldContents<T>(start: T, step: (sum: T, content: Content) => T): (contents: readonly Content[]) => T {
  const results = new WeakMap<Content, Known<T>>();
  const knownAt = (contents: readonly Content[], index: number): Known<T> | undefined => {
    const content = contents[index];
    const known = content === undefined ? undefined : results.get(content);
    return known?.index === index && known.before === contents[index - 1] ? known : undefined;
  };
  return (contents) => {
    let last = contents.length - 1;
    while (last >= 0 && knownAt(contents, last) === undefined) last -= 1;
    let sum = last < 0 ? start : (knownAt(contents, last)?.sum ?? start);
    for (const [at, content] of contents.slice(last + 1).entries()) {
      const index = last + 1 + at;
      sum = step(sum, content);
      results.set(content, { index, before: contents[index - 1], sum });
    }
    return sum;
  };
}

/** A content with files, and the one before it. */
interface Chain {
  readonly content: Content;
  readonly before: Chain | undefined;
}

const chainFiles = foldContents<Chain | undefined>(undefined, (before, content) =>
  hasFiles(content) ? { content, before } : before,
);

/** Whether a part of the content is a file. */
export function hasFiles({ parts = [] }: Content): boolean {
  return parts.some(({ fileData }) => fileData !== undefined);
}

/** The contents that have files, in their order. */
export function contentsWithFiles(contents: readonly Content[]): readonly Content[] {
  const found: Content[] = [];
  for (let one = chainFiles(contents); one !== undefined; one = one.before) found.push(one.content);
  return found.toReversed();
}
