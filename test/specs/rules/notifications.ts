import {
  ABSENT,
  type EndpointRow,
  type MemberRow,
  type ValueRow,
  choices,
  type SeedRules,
  named,
} from '../support/seed-rules.js';

const ENDPOINTS: readonly EndpointRow[] = [
  ['GET', '/notifications', ['200', '304', '401', '403', '422']],
  ['PUT', '/notifications', ['202', '205', '304', '401', '403']],
  ['GET', '/notifications/threads/{thread_id}', ['200', '304', '401', '403']],
  ['PATCH', '/notifications/threads/{thread_id}', ['205', '304', '403']],
  ['DELETE', '/notifications/threads/{thread_id}', ['204']],
  ['GET', '/notifications/threads/{thread_id}/subscription', ['200', '304', '401', '403']],
  ['PUT', '/notifications/threads/{thread_id}/subscription', ['200', '304', '401', '403']],
  ['DELETE', '/notifications/threads/{thread_id}/subscription', ['204', '304', '401', '403']],
  ['GET', '/repos/{owner}/{repo}/notifications', ['200']],
  ['PUT', '/repos/{owner}/{repo}/notifications', ['202', '205']],
];

const URL_NAMES =
  `archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads events forks
  git_commits git_refs git_tags git issue_comment issue_events issues keys labels languages merges milestones notifications pulls releases
  stargazers statuses subscribers subscription tags teams trees hooks`.split(/\s+/);
const OWNER_URL_NAMES =
  'avatar html followers following gists starred subscriptions organizations repos events received_events'.split(' ');

const urls = (names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [`${name}_url`, `https://a.example/${name}`]));

const OWNER = {
  login: 'harbor-works',
  id: 7,
  node_id: 'O_7',
  gravatar_id: '',
  url: 'https://a.example',
  type: 'Organization',
  site_admin: false,
  ...urls(OWNER_URL_NAMES),
};
const REPOSITORY = {
  id: 9,
  node_id: 'R_9',
  name: 'tidewatch',
  full_name: 'harbor-works/tidewatch',
  owner: OWNER,
  private: false,
  description: 'Tides',
  fork: false,
  url: 'https://a.example/r',
  html_url: 'https://a.example/h',
  ssh_url: 'git@a.example:harbor-works/tidewatch.git',
  ...urls(URL_NAMES),
};
const THREAD = {
  id: '118',
  repository: REPOSITORY,
  subject: {
    title: 'Gauge drifts',
    url: 'https://a.example/i/1',
    latest_comment_url: 'https://a.example/c/1',
    type: 'Issue',
  },
  reason: 'mention',
  unread: true,
  updated_at: '2026-11-19T16:42:08Z',
  last_read_at: '2026-11-18T08:00:00Z',
  url: 'https://a.example/t',
  subscription_url: 'https://a.example/s',
};

/** Rows about threads that differ in some members. */
function thread(rule: string, accepted: readonly object[], refused: readonly object[] = []): ValueRow[] {
  const whole = (change: object): unknown => ({ ...THREAD, ...change });
  return choices(rule, 'getThread 200', accepted.map(whole), refused.map(whole));
}

const REASONS =
  `approval_requested assign author ci_activity comment invitation manual mention review_requested security_alert state_change
  subscribed team_mention`.split(/\s+/);

const THREADS: readonly ValueRow[] = [
  ...thread('a thread', [{}]),
  ...thread('unknown members are tolerated', [{ colour: 'red' }]),
  ...thread(
    'a reason',
    REASONS.map((reason) => ({ reason })),
    [{ reason: 'bored' }, { reason: 'Mention' }],
  ),
  ...thread('id is a string', [], [{ id: 118 }]),
  ...thread('unread is a boolean', [{ unread: false }], [{ unread: 'yes' }]),
  ...thread(
    'timestamps in ISO 8601',
    [{ updated_at: '2026-11-19T17:42:08+01:00' }],
    [{ updated_at: 'yesterday' }, { last_read_at: '19.11.2026' }],
  ),
  ...thread(
    'a repository',
    [],
    [
      { repository: { ...REPOSITORY, id: '9' } },
      { repository: { ...REPOSITORY, private: 'no' } },
      { repository: { ...REPOSITORY, fork: 0 } },
    ],
  ),
  ...thread(
    'URL templates',
    [{ repository: { ...REPOSITORY, archive_url: 'https://a.example/{archive_format}{/ref}' } }],
    [{ repository: { ...REPOSITORY, archive_url: 'https://a.example/{' } }],
  ),
  ...thread(
    'an owner',
    [],
    [
      { repository: { ...REPOSITORY, owner: { ...OWNER, site_admin: 'no' } } },
      { repository: { ...REPOSITORY, owner: { ...OWNER, id: 'x' } } },
    ],
  ),
  ['a list of threads', 'listNotifications 200', [THREAD], true],
  ['a list of threads', 'listNotifications 200', [], true],
  ['a list of threads', 'listNotifications 200', THREAD, false],
  ['a list of threads', 'listRepositoryNotifications 200', [THREAD], true],
];

const SUBSCRIPTION = {
  subscribed: true,
  ignored: false,
  reason: null,
  created_at: '2026-11-19T16:42:08Z',
  url: 'https://a.example/s',
  thread_url: 'https://a.example/t',
};

const SUBSCRIPTIONS: readonly ValueRow[] = [
  ['reason is a string or null', 'getThreadSubscription 200', SUBSCRIPTION, true],
  ['reason is a string or null', 'getThreadSubscription 200', { ...SUBSCRIPTION, reason: 'manual' }, true],
  ['reason is a string or null', 'getThreadSubscription 200', { ...SUBSCRIPTION, reason: 3 }, false],
  ['subscribed is a boolean', 'setThreadSubscription 200', { ...SUBSCRIPTION, subscribed: 'true' }, false],
  ['created_at is a timestamp', 'setThreadSubscription 200', { ...SUBSCRIPTION, created_at: 'now' }, false],
  ['ignored is a boolean', 'setThreadSubscription body', { ignored: true }, true],
  ['ignored is a boolean', 'setThreadSubscription body', { ignored: 'true' }, false],
];

const MARKS: readonly ValueRow[] = [
  [
    'a timestamp and a flag',
    'markNotificationsAsRead body',
    { last_read_at: '2026-11-19T16:42:08Z', read: true },
    true,
  ],
  ['last_read_at may be omitted', 'markNotificationsAsRead body', {}, true],
  ['last_read_at is a timestamp', 'markNotificationsAsRead body', { last_read_at: 'now' }, false],
  ['read is a boolean', 'markNotificationsAsRead body', { read: 1 }, false],
  ['a timestamp', 'markRepositoryNotificationsAsRead body', { last_read_at: '2026-11-19T16:42:08Z' }, true],
  ['a timestamp', 'markRepositoryNotificationsAsRead body', { last_read_at: 7 }, false],
  ['a JSON message', 'markNotificationsAsRead 202', { message: 'Under way.' }, true],
  ['a JSON message', 'markNotificationsAsRead 202', {}, false],
  ['a JSON message', 'markRepositoryNotificationsAsRead 202', { message: 'Under way.' }, true],
];

const PARAMETERS: readonly ValueRow[] = [
  ...['listNotifications', 'listRepositoryNotifications'].flatMap((operation): ValueRow[] => [
    ...['all', 'participating'].flatMap((name) =>
      choices('a boolean', `${operation} query ${name}`, [true, false, ABSENT], ['yes']),
    ),
    ...['since', 'before'].flatMap((name) =>
      choices('a timestamp', `${operation} query ${name}`, ['2026-11-16T00:00:00Z', ABSENT], ['monday', 5]),
    ),
    ...choices('an integer', `${operation} query page`, [1, 2], [1.5, 'two']),
    ...choices('an integer', `${operation} query per_page`, [1, 50, ABSENT], [1.5]),
    ...choices('the version', `${operation} header X-Vendor-Api-Version`, ['2026-03-10', '2022-11-28'], ['2019-01-01']),
    ...choices('repeated from Last-Modified', `${operation} header If-Modified-Since`, [
      'Thu, 19 Nov 2026 16:42:08 GMT',
      ABSENT,
    ]),
    ...choices('seconds between polls', `${operation} 200 header X-Poll-Interval`, [60], ['soon']),
    ...choices('when the list changed', `${operation} 200 header Last-Modified`, ['Thu, 19 Nov 2026 16:42:08 GMT']),
  ]),
  ...choices('at most 50', 'listNotifications query per_page', [50], [51]),
  ...choices('at most 100', 'listRepositoryNotifications query per_page', [100], [101]),
  ...choices('a required integer', 'getThread path thread_id', [118], ['abc', ABSENT]),
  ...choices('required strings', 'listRepositoryNotifications path owner', ['Harbor-Works'], [ABSENT]),
  ...choices('required strings', 'listRepositoryNotifications path repo', ['tidewatch'], [ABSENT]),
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-used', 'x-ratelimit-reset'].flatMap((name) =>
    choices('a number on every response', `getThread 200 header ${name}`, [0, 5000], ['many']),
  ),
  ...choices('the resource on every response', 'getThread 200 header x-ratelimit-resource', ['core']),
];

const MEMBERS: readonly MemberRow[] = [
  ...named('Thread', 'id repository subject reason unread updated_at last_read_at url subscription_url'),
  ...named('ThreadSubject', 'title url latest_comment_url type'),
  ...named('MinimalRepository', Object.keys(REPOSITORY).join(' ')),
  ...named('RepositoryOwner', Object.keys(OWNER).join(' ')),
  ...named('ThreadSubscription', 'subscribed ignored reason created_at url thread_url'),
];

export const NOTIFICATIONS_RULES: SeedRules = {
  endpoints: ENDPOINTS,
  members: MEMBERS,
  values: [...THREADS, ...SUBSCRIPTIONS, ...MARKS, ...PARAMETERS],
};
