import type { Api, Operation } from '../../model/api.js';
import { HttpError } from '../../http/http-error.js';
import type { Violation } from '../../http/messages.js';
import type { RespondByExample } from './example-response.js';
import { addNote, type CompiledOperation, type PipelineCall, type PipelineResponse } from './pipeline-call.js';
import { repairHeaders } from './sample-headers.js';

/** An inferred response that violates the spec. */
export interface Misfit {
  readonly response: PipelineResponse;
  readonly violations: readonly Violation[];
}

/** Finds what can be sent instead of a misfit; `undefined` if nothing fits. */
export type FallBack = (
  compiled: CompiledOperation,
  call: PipelineCall,
  misfit: Misfit,
) => Promise<PipelineResponse | undefined>;

interface FallBackParts {
  readonly api: Api;
  readonly respondByExample: RespondByExample;
  readonly findProblems: (response: PipelineResponse, compiled: CompiledOperation) => readonly Violation[];
}

/**
 * Creates the step that replaces an inferred response that violates the spec: by the same response with made-up
 * headers, else by a made-up response of the same status, else by one of another success. State stays as it is.
 */
export function createFallBack({ api, respondByExample, findProblems }: FallBackParts): FallBack {
  return async (compiled, call, { response, violations }) => {
    const fits = (made: PipelineResponse): boolean => findProblems(made, compiled).length === 0;
    const spec = compiled.findResponseSpec(response.status);
    if (spec !== undefined) {
      const seed = `${compiled.operation.id} ${call.request.target}`;
      const repaired = { ...response, headers: repairHeaders(response.headers, spec, { api, seed }) };
      if (fits(repaired)) {
        // Inference knows nothing of most headers, so a missing one is no news.
        if (!violations.every(isMissingHeader)) addNote(call, noteOf(compiled, violations, 'made-up headers'));
        return repaired;
      }
    }
    // Hooks are hand-written behaviour, which is never replaced.
    if (compiled.inferred?.hasHooks === true) return undefined;
    for (const status of statusesAfter(response.status, compiled.operation)) {
      const made = await respondByExample(compiled, call, status).catch(ignoreRefusal);
      if (made === undefined || !fits(made)) continue;
      addNote(call, noteOf(compiled, violations, `a made-up ${status}`));
      return made;
    }
    return undefined;
  };
}

function isMissingHeader({ pointer }: Violation): boolean {
  return pointer === '/headers';
}

/** The statuses to try: the inferred one, then the documented successes. */
function statusesAfter(status: number, { responses }: Operation): readonly number[] {
  const successes = responses.filter((response) => /^2\d\d$/.test(response.status));
  return [...new Set([status, ...successes.map((response) => Number(response.status))])];
}

function ignoreRefusal(error: unknown): undefined {
  if (!HttpError.is(error)) throw error;
}

function noteOf({ operation }: CompiledOperation, violations: readonly Violation[], sent: string): string {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return (
    `${operation.id} sent ${sent}, because the inferred response broke the spec: ` +
    `${first?.pointer ?? ''} ${first?.message ?? ''}${more}. ` +
    'What is inferred is shown by "specmill explain" and corrected by "resources" in the configuration.'
  );
}
