import type { Operation } from '../../../model/api.js';
import { toPointer } from '../../../model/document/pointer.js';
import { listPathOf } from '../../../resources/envelope.js';
import { successSchema } from '../../../resources/success-response.js';
import type { Schema } from '../../../model/schema-types.js';
import { keywordOf, membersOf } from '../../../schema/facts/members.js';
import { type Assertion, bodyAt } from '../../expectations/assertion.js';
import { findListPlace } from '../../expectations/lists.js';
import { nextLink } from '../../expectations/next-link.js';
import type { ContractRun } from '../../execute/contract-run.js';
import type { Fill } from '../../reproduction/reproduction.js';
import type { Comparison } from './compare-pages.js';
import { nextLinkPlace, memberLink, readMore } from './links.js';
import { type Walk, tokenMember, walkPages } from './walk.js';

/** Matches descriptions of a token that is missing on the last page. */
const SAYS_LAST =
  /\blast (?:page|one)\b|\bno (?:more|further|next)\b|\bif (?:there (?:is|are) )?(?:more|another)\b|\bend of\b/i;

/** Checks that a last page that is exactly full does not lead to another one, which would be empty. */
export async function checkFullPage(
  run: ContractRun,
  { call, paging, sizeParameter, whole, largest, parameter, others }: Comparison,
): Promise<void> {
  const size = whole.items.length;
  if (size < 1 || size > largest) return;
  const pages = await walkPages(run, call, { paging, pageSize: size });
  const [first, ...rest] = pages?.pages ?? [];
  const page = pages?.exchanges[0];
  if (pages === undefined || page === undefined || first?.length !== size || rest.some((one) => one.length > 0)) return;
  const assertion = leadsNowhere(pages, call.operation, { run, paging });
  if (assertion === undefined) return;
  const list = findListPlace([whole.last], parameter, listPathOf(call.operation, run.options.api));
  // Another server has another number of items.
  const count: Fill = {
    place: { in: 'parameter', parameter: sizeParameter },
    from: whole.last,
    source: { in: 'count', pointer: list.itemsAt },
  };
  run.findings.expect('paging adds up', assertion, {
    cause: 'full',
    message: 'The last page, which is exactly full, announces another one.',
    expected: 'no next page',
    at: page,
    others: [...others, whole.last],
    fills: [count],
  });
}

type Context = Pick<Comparison, 'paging'> & { readonly run: ContractRun };

/** The expectation that the first page, which has all items, is the last one. */
function leadsNowhere(pages: Walk, operation: Operation, { run, paging }: Context): Assertion | undefined {
  const [page] = pages.exchanges;
  if (page === undefined) return undefined;
  if (nextLink(page) !== undefined) return { expects: 'empty', value: { from: 'next link', exchange: page } };
  const more = readMore(page);
  if (more !== undefined) return { expects: 'empty', value: bodyAt(page, toPointer(more.path)) };
  const link = memberLink(page) === undefined ? undefined : nextLinkPlace(page);
  if (link !== undefined) return { expects: 'empty', value: bodyAt(page, link) };
  const token = paging.style === 'token' ? tokenMember(page, paging.next) : undefined;
  // Many servers cannot know that a full page is the last one: the spec must say so.
  const isSaid = token !== undefined && SAYS_LAST.test(descriptionAt(operation, token.path, run));
  return isSaid ? { expects: 'empty', value: bodyAt(page, toPointer(token.path)) } : undefined;
}

function descriptionAt(operation: Operation, path: readonly string[], { options: { api } }: ContractRun): string {
  const schema = path.reduce<Schema>(
    (at, name) => membersOf(at, api).get(name)?.schema ?? true,
    successSchema(operation),
  );
  return keywordOf(schema, 'description', api) ?? '';
}
