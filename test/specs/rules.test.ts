import { describe } from 'vitest';

import { DICTIONARY_RULES } from './rules/dictionary.js';
import { ENGINE_DEFAULTS_RULES } from './rules/engine-defaults.js';
import { ENGINE_RULES } from './rules/engine.js';
import { GENERATION_RESPONSES_RULES } from './rules/generation-responses.js';
import { GENERATION_REQUESTS_RULES } from './rules/generation-requests.js';
import { GENERATION_TOOLS_RULES } from './rules/generation-tools.js';
import { NOTIFICATIONS_RULES } from './rules/notifications.js';
import { RATE_LIMITS_RULES } from './rules/rate-limits.js';
import { SIGNING_RULES } from './rules/signing.js';
import { TABLES_EXTERNAL_RULES } from './rules/tables-external.js';
import { TABLES_FIELDS_RULES } from './rules/tables-fields.js';
import { TABLES_RULES } from './rules/tables.js';
import { testSeedRules } from './support/seed-rules.js';

describe.each([
  ['dictionary', DICTIONARY_RULES],
  ['engine', ENGINE_DEFAULTS_RULES],
  ['engine', ENGINE_RULES],
  ['generation', GENERATION_RESPONSES_RULES],
  ['generation', GENERATION_REQUESTS_RULES],
  ['generation', GENERATION_TOOLS_RULES],
  ['notifications', NOTIFICATIONS_RULES],
  ['rate-limits', RATE_LIMITS_RULES],
  ['signing', SIGNING_RULES],
  ['tables', TABLES_EXTERNAL_RULES],
  ['tables', TABLES_FIELDS_RULES],
  ['tables', TABLES_RULES],
] as const)('the documented rules of %s', (spec, rules) => {
  testSeedRules(spec, rules);
});
