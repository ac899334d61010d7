import { type ValueRow, choices, type SeedRules } from '../support/seed-rules.js';

const FAMILY = { limit: 60, remaining: 0, reset: 1_795_300_000, used: 60 };
const RESOURCES = { core: FAMILY, search: FAMILY, graphql: FAMILY };

const VALUES: readonly ValueRow[] = [
  ...choices(
    'an overview of all families',
    'getRateLimit 200',
    [
      { resources: RESOURCES, rate: FAMILY },
      { resources: { ...RESOURCES, code_search: FAMILY }, rate: FAMILY },
    ],
    [
      {},
      { resources: { ...RESOURCES, core: { ...FAMILY, remaining: -1 } }, rate: FAMILY },
      { resources: { ...RESOURCES, other: { limit: 5 } }, rate: FAMILY },
    ],
  ),
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-used', 'x-ratelimit-reset'].flatMap((name) => [
    ...choices('on every response', `getRateLimit 200 header ${name}`, [0, 60], ['many', -1]),
    ...['403', '429'].flatMap((status) => choices('on refusals too', `getRateLimit ${status} header ${name}`, [0])),
  ]),
  ...choices('the bucket', 'getRateLimit 200 header x-ratelimit-resource', ['core'], [7]),
  ...['403', '429'].flatMap((status) => [
    ...choices('seconds to wait', `getRateLimit ${status} header retry-after`, [60], ['soon']),
    ...choices('a message', `getRateLimit ${status}`, [{ message: 'You have exceeded a secondary rate limit.' }], [{}]),
  ]),
];

export const RATE_LIMITS_RULES: SeedRules = {
  endpoints: [['GET', '/rate_limit', ['200', '403', '429']]],
  values: VALUES,
};
