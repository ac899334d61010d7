import type { HandlerContext } from 'specmill/mock';

/** What every field of a request is resolved with. */
export interface RequestContext {
  readonly context: Pick<HandlerContext, 'collection'>;
  /** As they were sent, their members in the order in which they came. */
  readonly variables: Readonly<Record<string, unknown>>;
}
