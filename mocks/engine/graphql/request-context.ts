import type { BehaviourContext } from '../../../server/seams/behaviour.js';

/** What every field of a request is resolved with. */
export interface RequestContext {
  readonly context: Pick<BehaviourContext, 'collection'>;
  /** As they were sent, their members in the order in which they came. */
  readonly variables: Readonly<Record<string, unknown>>;
}
