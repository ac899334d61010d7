type BugsOfServers = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Which operation is refused in which state is said by descriptions alone, or by none. */
const STATES = 'a specification does not say in which states an operation is refused';
/** Values that the server works out from others. */
const COMPUTED = 'a specification does not say how the server works out a value from others';
/** Texts and numbers in another form. */
const OTHER_FORM = 'the stored value is the sent one in another form, as correct servers store it';
/** What becomes of items below, or around, an item that is deleted. */
const BELOW_DELETED = 'correct servers differ in what becomes of the items below a deleted one';
/** The order of lists. */
const ORDER = 'a specification does not name the order in a form that a program reads';
/** What a search compares. */
const SEARCH = 'a specification does not say what a search finds';

/** Bugs that a run with default options and the seed 1 does not find, and why. */
export const UNFOUND_BUGS: BugsOfServers = {
  blog: { 'comments-survive': BELOW_DELETED },
  album: { 'photo-count': COMPUTED, 'photos-survive': BELOW_DELETED },
  museum: { 'embed-ignored': 'the members that embed adds are optional', 'movements-order': ORDER },
  billing: { 'country-lower': 'the schema has no pattern for countries', 'total-stale': COMPUTED },
  rooms: {
    'bulk-first': 'the run does not count what a bulk creation creates',
    'room-of-others': 'the run reads a booking below its own workspace only',
    'from-exclusive': 'no booking starts exactly at the time of the filter',
  },
  fleet: { 'km-rounded': OTHER_FORM, 'delete-assigned': STATES, 'trips-stay': BELOW_DELETED },
  procurement: {
    'email-lower-case': OTHER_FORM,
    'lines-reversed': ORDER,
    'submit-again': STATES,
    'supplier-with-orders': STATES,
    'total-without-quantity': COMPUTED,
    'total-stays': COMPUTED,
    'approve-draft': STATES,
    'cancel-approved': STATES,
    'patch-submitted': STATES,
  },
  shop: { 'address-shared': 'the addresses that a run makes are in different countries' },
  podcasts: {
    'put-unpublishes': STATES,
    'upload-title-trimmed': OTHER_FORM,
    'restore-again': STATES,
    'deleted-show-episodes': BELOW_DELETED,
    'published-at-null': COMPUTED,
    'search-inside': SEARCH,
    'search-case': SEARCH,
    'search-deleted': SEARCH,
    'upload-size': COMPUTED,
    'export-without-url':
      'the member may be null until the export is done, and the specification says that in words only',
  },
};

/** A page is exactly full, or the order shows, with the items of the run only. */
const MORE = 'the test needs a list of as many items as the run had';

/** Bugs with a finding whose printed test does not tell the server with the bug from one without it, and why. */
export const WITHOUT_TEST: BugsOfServers = {
  procurement: { 'next-link-early': MORE },
  forge: {
    'comments-of-all': 'the repeated requests do not show it, as the list has more items by then',
    'issues-of-all': 'the run takes the number of an issue for its id, and the test compares the two',
    'repo-location': 'the wrong address names a parent that only the server of the run has',
  },
  ledger: {
    'bulk-item-invalid': 'the server responds with an item from before',
    'transfer-cursor-amount': MORE,
    'entries-of-all': MORE,
    'transfer-from-is-to': 'the printed filter has an id that only the server of the run knows',
    'transfer-created-from': 'the printed filter has a time of the run',
    'bulk-result-missing': 'the test reads a missing result as a request that is accepted as a whole',
  },
  studio: {
    'track-added-to-unknown': 'the run had added a track to the unknown artist before',
    'next-loses-genre': MORE,
  },
};
