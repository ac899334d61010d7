import { toSingular, wordsOf } from './inflection.js';

/** The words of paging, by the word that stands for them. Words that mean nothing here stand for an empty text. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    next: ['next', 'following'],
    previous: ['previous', 'prev'],
    after: ['after'],
    before: ['before'],
    start: ['start', 'starting', 'begin', 'exclusive'],
    end: ['end', 'ending'],
    since: ['since'],
    from: ['from'],
    first: ['first'],
    last: ['last'],
    continue: ['continue', 'continuation', 'resume'],
    cursor: ['cursor', 'cursors', 'bookmark'],
    token: ['token', 'tokens'],
    marker: ['marker'],
    key: ['key', 'keys'],
    id: ['id', 'ids', 'uuid', 'guid'],
    scroll: ['scroll'],
    page: ['page', 'pg'],
    pages: ['pages'],
    link: ['link', 'links', 'url', 'urls', 'uri', 'href'],
    skip: ['skip'],
    offset: ['offset'],
    index: ['index', 'position'],
    number: ['number', 'num', 'no', 'nr'],
    size: ['size', 'length'],
    limit: ['limit'],
    max: ['max', 'maximum'],
    per: ['per'],
    take: ['take'],
    top: ['top'],
    rows: ['rows'],
    count: ['count'],
    total: ['total', 'totals'],
    has: ['has'],
    is: ['is'],
    more: ['more'],
    truncated: ['truncated'],
    current: ['current', 'this'],
    self: ['self'],
    at: ['at'],
    item: [
      ...['item', 'items', 'result', 'results', 'record', 'records', 'element', 'elements', 'entry', 'entries'],
      ...['object', 'objects', 'hit', 'hits', 'row'],
    ],
    '': [
      ...['meta', 'metadata', 'pagination', 'paging', 'pager', 'paginator', 'info', 'response', 'odata', 'list'],
      ...['evaluated', 'search', 'query', 'data', 'of', 'the', 'summary', 'embedded', 'iter', 'rel', 'out', 'in'],
    ],
  }).flatMap(([word, forms]) => forms.map((form) => [form, word] as const)),
);

const FORMS: readonly string[] = [...WORDS.keys()].toSorted((one, other) => other.length - one.length);

/**
 * The words of a name, in the forms that stand for them; `undefined` if one has nothing to do with paging.
 * `lastEvaluatedKey` is `last key`, `$skiptoken` is `skip token`, and with the noun `users`, `after_user_id` is `after
 * item id`.
 */
export function pageWordsOf(name: string, nouns: ReadonlySet<string>): string | undefined {
  const words: string[] = [];
  for (const word of wordsOf(name)) {
    const found =
      nouns.has(word) && !WORDS.has(word) ? ['item'] : splitForms(word)?.map((form) => WORDS.get(form) ?? '');
    if (found === undefined) return undefined;
    words.push(...found);
  }
  return words.filter((word) => word !== '').join(' ');
}

/** Splits letters without separators, such as `nextpagetoken`, into known words. */
function splitForms(letters: string): readonly string[] | undefined {
  if (letters === '') return [];
  // Names are short; a long text is no name of these words, and trying all splits of it would take long.
  if (letters.length > MAX_LETTERS) return undefined;
  for (const form of FORMS) {
    const rest = letters.startsWith(form) ? splitForms(letters.slice(form.length)) : undefined;
    if (rest !== undefined) return [form, ...rest];
  }
  return undefined;
}

const MAX_LETTERS = 40;

/** The nouns for the items of a path, singular and plural: they say nothing more in names of its paging. */
export function nounsOf(path: string): ReadonlySet<string> {
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
  const words = wordsOf(last);
  return new Set([...words, ...words.map((word) => toSingular(word))]);
}
