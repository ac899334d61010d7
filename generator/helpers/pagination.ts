import type { Schema } from '../../model/schema-types.js';
import type { LinkPlan, OffsetPlan, TokenPlan } from '../../runtime/paging.js';

/** How a list is read page by page. All pointers are JSON pointers into the data of a response. */
export type Pagination = (
  | { readonly style: 'offset'; readonly plan: OffsetPlan }
  | { readonly style: 'page'; readonly plan: LinkPlan }
  | { readonly style: 'link'; readonly plan: LinkPlan }
  | { readonly style: 'token'; readonly plan: TokenPlan }
) & {
  /** The schema of an item. */
  readonly item: Schema;
};
