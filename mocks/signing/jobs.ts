import { type HandlerContext, HttpError } from 'specmill/mock';

import { type CaseJobName, type CaseTurn, changeCase } from './change-case.js';
import { expire, finish, make, remindAutomatically } from './transitions.js';

type Job = (context: HandlerContext, payload: { readonly caseId: string }) => Promise<void>;

/** A job changes a case, where there still is one. */
function changing(change: (turn: CaseTurn) => void): Job {
  return async (context, { caseId }) => {
    try {
      await changeCase(context, caseId, change);
    } catch (error) {
      if (!HttpError.is(error)) throw error;
    }
  };
}

/** Jobs by the clock. */
export const jobs: Readonly<Record<CaseJobName, Job>> = {
  make: changing(make),
  expire: changing(expire),
  remind: changing(remindAutomatically),
  finish: changing(finish),
};
