import { type DefinedMock, defineMock } from 'specmill/mock';

import type { SigningOperations } from '../../generated/signing/types.js';
import { accountName } from './accounts.js';
import { actions, type SigningActions } from './actions.js';
import { CASES, TEMPLATES } from './case-record.js';
import { jobs } from './jobs.js';
import { operations } from './operations.js';
import { NOTIFICATIONS } from './notifications.js';
import { NOTIFICATION_SCHEMA, RECORD_SCHEMA } from './record-schema.js';
import { INDEXES } from './search.js';
import { seedTemplates } from './templates.js';

/** Electronic signing cases. */
export const mock: DefinedMock<SigningActions> = defineMock<SigningOperations, SigningActions>('signing', {
  stateBy: accountName,
  seed: seedTemplates,
  indexes: INDEXES,
  items: { [CASES]: RECORD_SCHEMA, [TEMPLATES]: RECORD_SCHEMA, [NOTIFICATIONS]: NOTIFICATION_SCHEMA },
  operations,
  actions,
  jobs,
});
