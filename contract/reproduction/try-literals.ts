import { isSafeMethod } from '../../model/http-method.js';
import { unlikelyId } from '../execute/ids/unlikely-id.js';
import type { ContractRun } from '../execute/contract-run.js';
import { withSlot } from '../execute/ids/id-slot.js';
import type { Reproduction, Step } from './reproduction.js';

/**
 * The last request alone, with values in its path and query that no response gave. If they show the problem too, the
 * requests that made the items are not needed: `GET /roles?projectId=specmill-987654321`.
 *
 * @returns `undefined` if the last request takes no such value from a response, or the problem needs its item: a correct
 *   server refuses an unknown one, even if it takes the value that is judged.
 */
export function withLiterals(run: ContractRun, { steps, ...rest }: Reproduction): Reproduction | undefined {
  const last = steps.at(-1);
  if (last === undefined || rest.assertion.expects !== 'response') return undefined;
  // Others may create an item under an unknown id.
  const { method } = last.sent.call.operation;
  if (!isSafeMethod(method) && method !== 'delete') return undefined;
  if (last.sent.expectation.kind === 'valid' && last.sent.expectation.judged !== undefined) return undefined;
  const inUrl = last.fills.flatMap(({ place }) =>
    place.in === 'parameter' && ['path', 'query'].includes(place.parameter.in) ? [place] : [],
  );
  // What else it takes from responses needs them.
  if (inUrl.length === 0 || inUrl.length < last.fills.length) return undefined;
  const call = inUrl.reduce(
    (made, place) => withSlot(made, place, unlikelyId(place.parameter, run.options.api)),
    last.sent.call,
  );
  const { about: _about, ...alone } = rest;
  const { validTwin: _twin, ...bare } = last;
  const step: Step = { ...bare, sent: { ...last.sent, call }, fills: [] };
  return { ...alone, steps: [step] };
}
