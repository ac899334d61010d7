import type { Call } from 'specmill/mock';

import type { BidiGenerateContentSetup, Content, GenerationOperations } from '../../../generated/generation/types.js';
import { tokensOf } from '../auth-tokens.js';
import { modelId, useModel } from '../models.js';
import { checkConfig } from '../rules.js';
import { takeUse, tokenNameOf } from './admit-token.js';
import { mergeSetup } from './merge-setup.js';
import { findSession } from './resume-session.js';

export type SessionCall = Call<GenerationOperations['openConstrainedLiveSession']>;

/** How a session begins. */
export interface SessionStart {
  readonly setup: BidiGenerateContentSetup;
  /** Of a session that is resumed. */
  readonly history: readonly Content[];
}

/**
 * Begins a session, new or resumed, by the setup of the connection and that of the token.
 *
 * @throws SessionClose
 * @throws HttpError
 */
export async function startSession(call: SessionCall, given: BidiGenerateContentSetup): Promise<SessionStart> {
  const name = tokenNameOf(call);
  const token = name === undefined ? undefined : await tokensOf(call).get(name);
  const setup = token === undefined ? given : mergeSetup(given, token);
  const model = useModel(modelId(setup.model), 'bidiGenerateContent', call.clock.now());
  checkConfig(model, setup.generationConfig ?? {});
  const { handle = '' } = given.sessionResumption ?? {};
  if (handle !== '') return { setup, history: (await findSession(call, handle, setup.model)).history };
  if (name !== undefined) await takeUse(call, name);
  return { setup, history: [] };
}
