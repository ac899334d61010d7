import type { Violation } from '../../http/messages.js';
import type { Handler, OperationTypes } from '../../server/handler-api.js';
import { type TablePlace, toName } from './table-record.js';

/** Short codes of errors, as `reason` of an error item has them. */
type Reason = 'invalid' | 'notFound' | 'duplicate' | 'conditionNotMet' | 'aborted';

interface Details {
  readonly status: 400 | 404 | 409 | 412;
  readonly reason: Reason;
  /** The member, parameter or header that caused it. */
  readonly location?: string;
  readonly locationType?: 'header' | 'parameter';
  /** Canonical name; else the one that goes with the status. */
  readonly canonical?: string;
  readonly violations?: readonly Violation[];
}

/** A request that the state of a table, or a rule about several members, does not allow. */
export class TableRefusal extends Error {
  override readonly name = 'TableRefusal';
  readonly details: Details;

  constructor(message: string, details: Details) {
    super(message);
    this.details = details;
  }
}

export function tableNotFound(place: TablePlace): TableRefusal {
  return new TableRefusal(`Not found: Table ${toName(place)}`, { status: 404, reason: 'notFound' });
}

/** Answers refusals in the API's own words. */
export function refusing<Types extends OperationTypes[string]>(handle: Handler<Types>): Handler<Types> {
  return async (call) => {
    try {
      return await handle(call);
    } catch (error) {
      if (!(error instanceof TableRefusal)) throw error;
      const { message } = error;
      const { status, reason, location, locationType, canonical, violations = [] } = error.details;
      const item = {
        ...{ domain: 'global', reason, message },
        ...(location === undefined ? {} : { location }),
        ...(locationType === undefined ? {} : { locationType }),
      };
      return call.refuse(status, message, {
        ...(canonical === undefined ? {} : { status: canonical }),
        errors: [item],
        ...(violations.length === 0 ? {} : { violations }),
      });
    }
  };
}
