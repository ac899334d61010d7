import type { SigningOperations } from '../../../generated/signing/types.js';
import { type DefinedMock, defineMock } from '../../define-mock.js';
import { accountName } from './accounts.js';
import { actions, type SigningActions } from './actions.js';
import { jobs } from './jobs.js';
import { operations } from './operations.js';
import { INDEXES } from './search.js';
import { seedTemplates } from './templates.js';

/** Electronic signing cases. */
export const behaviour: DefinedMock<SigningActions> = defineMock<SigningOperations, SigningActions>('signing', {
  stateBy: accountName,
  seed: seedTemplates,
  indexes: INDEXES,
  operations,
  actions,
  jobs,
});
