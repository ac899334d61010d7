import type { Operation } from '../model/api.js';
import { wordsOf } from './inflection.js';

/** Words at the end of paths that mean reading an item. */
const READS: ReadonlySet<string> = new Set(
  'info details detail lookup inspect one single item byid get read fetch show describe retrieve view load find peek open'.split(
    ' ',
  ),
);

/** Verbs that begin descriptions of calls that only read. */
const READING_VERBS: ReadonlySet<string> = new Set(
  'get read fetch show describe retrieve view load find look return obtain display give inspect open query report'.split(
    ' ',
  ),
);

/** Verbs that change something. */
const CHANGES: ReadonlySet<string> = new Set(
  `accept acknowledge activate add advance allow apply approve archive assign attach authorize ban block book boost bookmark
  cancel capture change check claim clear clone close commit complete confirm connect consume convert copy create deactivate decline
  delete deliver demote deny deploy destroy detach disable disconnect dismiss dispatch drop duplicate edit empty enable end enqueue
  execute expire export extend fail favorite favourite finalize finish flag follow fork freeze generate grant handle hide hold import increment
  decrement insert install invalidate invite issue join kick kill launch leave like link lock login logout mark merge migrate modify
  move mute notify open pause pay pin post process promote provision publish purge push put queue reboot rebuild recalculate
  reassign recover redeem refresh refund register reject release reload remove rename renew reopen reorder repeat replace
  report reprocess request resend reserve reset resolve restart restore resume retry return reveal revert review revoke rollback
  rotate run save schedule seal send set settle share ship sign skip sleep snooze spam split star start stop submit subscribe
  suspend swap switch sync tag take terminate toggle touch transfer transition trash trigger trust undelete undo unlock
  untag update upgrade upload upvote use validate verify void vote wake watch withdraw write`.split(/\s+/),
);

/**
 * Whether a call by word that takes the id of an item and returns the item only reads it: `sure` if its method, word or
 * description says so, `no` if one of them says that it changes something, else `maybe`.
 *
 * @param words - of the other calls for the same kind of item.
 */
export function readingOf(
  { operation, word }: { readonly operation: Operation; readonly word: string },
  words: readonly string[],
): 'sure' | 'maybe' | 'no' {
  const own = wordsOf(word);
  const [first = ''] = own;
  const whole = own.join('');
  const isRead = READS.has(whole) || READS.has(first) || first === 'by';
  // `open` reads, unless there is something to close.
  const isOpening = whole === 'open' && words.some((one) => one.startsWith('close'));
  if (isOpening || (changes(first) && !isRead)) return 'no';
  if (['get', 'head', 'query'].includes(operation.method)) return 'sure';
  const described = readingOfText(operation, first);
  if (described !== undefined) return described;
  return isRead ? 'sure' : 'maybe';
}

/** Whether the word of a call means a change. */
export function changesItems(word: string): boolean {
  return changes(wordsOf(word)[0] ?? '');
}

/** The first verb of the summary or description decides, else any word of its first sentence for a change. */
function readingOfText({ summary, description }: Operation, word: string): 'sure' | 'no' | undefined {
  for (const text of [summary, description]) {
    const words = wordsOf((text ?? '').split(/[.!?]\s|\n/, 1)[0] ?? '').map(toVerb);
    const [verb] = words;
    if (verb === undefined) continue;
    if (READING_VERBS.has(verb) && (verb !== word || READS.has(word))) return 'sure';
    // `Star a document` for `star`: the word is a verb, and none that reads.
    if (changes(verb) || (!READS.has(word) && (verb === toVerb(word) || words.some(changes)))) return 'no';
  }
  return undefined;
}

function changes(word: string): boolean {
  const verb = toVerb(word);
  return CHANGES.has(verb) || (/^(?:un|re|de|dis)/.test(verb) && CHANGES.has(verb.replace(/^(?:un|re|de|dis)-?/, '')));
}

/** `returns` -> `return`, `publishes` -> `publish`, `copies` -> `copy`. */
function toVerb(word: string): string {
  const verb = word.toLowerCase();
  const forms = [verb.replace(/ies$/, 'y'), verb.replace(/es$/, ''), verb.replace(/s$/, '')];
  return CHANGES.has(verb) ? verb : (forms.find((form) => CHANGES.has(form) || READING_VERBS.has(form)) ?? verb);
}
