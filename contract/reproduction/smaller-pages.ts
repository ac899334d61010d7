import { isValidValue } from '../../schema/compile-validator.js';
import type { ContractRun } from '../execute/contract-run.js';
import { withSlot } from '../execute/ids/id-slot.js';
import { findPaging } from '../stateful/pagination/walk.js';
import type { Reproduction } from './reproduction.js';

/** Few items of another server fill the first of such pages. */
const SMALL = 2;

/**
 * The same requests with pages of two items: another server may have too few for the pages of the run. `undefined` if
 * the size of pages matters.
 */
export function withSmallerPages({ options: { api } }: ContractRun, known: Reproduction): Reproduction | undefined {
  const { assertion, steps } = known;
  if (assertion.expects !== 'each once') return undefined;
  const pages = new Set(assertion.list.pages);
  const smaller = steps.map((step) => {
    const { call } = step.sent;
    const paging = pages.has(step.key) ? findPaging(call.operation, api) : undefined;
    // An offset counts the items of the pages before.
    const size = paging?.style === 'offset' ? undefined : paging?.size;
    if (size === undefined || Number(call.parameters.get(size)) <= SMALL || !isValidValue(SMALL, size.schema, api))
      return step;
    return { ...step, sent: { ...step.sent, call: withSlot(call, { in: 'parameter', parameter: size }, SMALL) } };
  });
  return smaller.every((step, index) => step === steps[index]) ? undefined : { ...known, steps: smaller };
}
