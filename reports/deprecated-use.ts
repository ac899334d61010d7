import { countOf } from './counts.js';
import { quoteAll } from './quote-text.js';
import { type Sender, showLast, showSenders } from './senders.js';

/** Calls that use something deprecated. */
export interface DeprecatedUse {
  readonly operationId: string;
  /** `query limit`, `body/name` or `response 200 body/name`; absent if it is the operation. */
  readonly place?: string;
  /** Whether the place is one of responses: clients got it, and whether they read it cannot be seen. */
  readonly isReceived?: true;
  readonly calls: number;
  /** ISO 8601. */
  readonly last?: string;
  /** Those with most calls first. */
  readonly clients: readonly Sender[];
}

/** The most uses that are shown. */
const MOST_SHOWN = 30;

/** The uses of what is deprecated, as lines for a terminal. */
export function describeDeprecated(uses: readonly DeprecatedUse[]): string[] {
  return [
    ...describeList(
      'Deprecated, but still used:',
      uses.filter(({ isReceived }) => isReceived !== true),
    ),
    ...describeList(
      'Deprecated, and in responses (recordings do not show whether clients read it):',
      uses.filter(({ isReceived }) => isReceived === true),
    ),
  ];
}

function describeList(title: string, uses: readonly DeprecatedUse[]): string[] {
  if (uses.length === 0) return [];
  const rest = uses.length - MOST_SHOWN;
  const lines = uses.slice(0, MOST_SHOWN).map(({ operationId, place, calls, last, clients }) => {
    const what = place === undefined ? operationId : `${operationId} ${place}`;
    return `  ${what}: ${countOf(calls, 'call')}${showLast(last)} of ${showSenders(clients, quoteAll)}`;
  });
  return [title, ...lines, ...(rest > 0 ? [`  … and ${rest} more`] : []), ''];
}
