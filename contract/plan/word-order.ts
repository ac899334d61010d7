/** The most characters between the start of a word and the end of the one that follows it. */
const NEAR = 60;

/** Whether a sentence has a word and, soon after it, another one: `The newest orders come first.` */
export function isFollowedBy(sentence: string, word: RegExp, next: RegExp): boolean {
  const at = sentence.search(word);
  return at !== -1 && next.test(sentence.slice(at, at + NEAR));
}
