import { HttpError, type Violation } from 'specmill/mock';

import { type TablePlace, toName } from './table-record.js';

interface Details {
  readonly status: 400 | 404 | 409 | 412;
  /** Short code, as the items of an error have it. */
  readonly reason: 'invalid' | 'notFound' | 'duplicate' | 'conditionNotMet' | 'aborted';
  /** The member, parameter or header that caused it. */
  readonly location?: string;
  readonly locationType?: 'header' | 'parameter';
  /** Canonical name; else the one that goes with the status. */
  readonly canonical?: string;
  readonly violations?: readonly Violation[];
}

/** An error for a request that the state of a table, or a rule about several members, does not allow. */
export function refuse(message: string, details: Details): HttpError {
  const { status, reason, location, locationType, canonical, violations = [] } = details;
  const item = {
    ...{ domain: 'global', reason, message },
    ...(location === undefined ? {} : { location }),
    ...(locationType === undefined ? {} : { locationType }),
  };
  return new HttpError(status, message, {
    details: {
      ...(canonical === undefined ? {} : { status: canonical }),
      errors: [item],
      ...(violations.length === 0 ? {} : { violations }),
    },
  });
}

export function tableNotFound(place: TablePlace): HttpError {
  return refuse(`Not found: Table ${toName(place)}`, { status: 404, reason: 'notFound' });
}
