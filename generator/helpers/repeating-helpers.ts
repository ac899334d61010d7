import type { Api, MediaType, Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import type { PagingValue, PollingValue, StreamingValue } from '../../model/helper-values.js';
import type { Schema, SchemaObject } from '../../model/schema-types.js';
import type { LinkPlan } from '../../runtime/paging.js';
import { hasNumber, typesOf } from '../../schema/facts/members.js';
import { listItemOf } from '../../resources/envelope.js';
import { isHelperRefused } from '../../resources/said-paging.js';
import { followRefs } from '../../schema/facts/parts.js';
import { itemValue } from '../../schema/item-value.js';
import { failureStatuses } from '../client/response-data.js';
import { ensure, type HelperScope, memberOf, need, type OperationHelper } from './helper-scope.js';
import type { Pagination } from './pagination.js';
import { type PlannedPaging, planPaging } from './plan-paging.js';
import {
  givesHeader,
  needHeader,
  needQuery,
  needResponseHeader,
  querySchema,
  responseSchema,
  schemaAt,
  successOf,
} from './schema-at.js';

const PAGE_FUNCTIONS = { offset: 'pageByOffset', page: 'pageByLink', token: 'pageByToken' } as const;

/** `<operation>Items`, also of lists whose paging the map is sure of. */
export const PAGING: OperationHelper<PagingValue | undefined> = {
  extension: 'x-pagination',
  isImplied: true,
  options: 'PageOptions',
  doc: '@throws PagingError if the server links in a circle or to another server, or has more items than it lists; RangeError if a page cannot be as large as requested; and everything that the call throws.',
  plan(operation, value, scope) {
    if (isHelperRefused(operation, scope.api)) return undefined;
    // An invalid extension is reported, not replaced by a guess.
    if (value === undefined && operation.extensions['x-pagination'] !== undefined) return undefined;
    const found = value === undefined ? inferPages(operation, scope) : declaredPages(operation, value, scope);
    if (found === undefined) return undefined;
    return {
      name: `${operation.name}Items`,
      pages: found.pages,
      summary: `all items of \`${operation.name}\`, page by page`,
      returnType: `${scope.use('Listing')}<${scope.typeOf(found.pages.item, 'output')}>`,
      code: scope.printRepeated(found.runtime, operation, found.pages.plan),
    };
  },
};

/** How a list is read: a function of the runtime, and its plan with the schema of the items. */
interface FoundPages {
  readonly runtime: string;
  readonly pages: Pagination;
}

const STYLES = { pageByOffset: 'offset', pageByLink: 'page', pageByToken: 'token' } as const;

function foundPages({ runtime, plan }: PlannedPaging, item: Schema): FoundPages {
  const style = runtime === 'pageByLink' && plan.numbering === undefined ? 'link' : STYLES[runtime];
  // Cast: the style belongs to the function of the runtime, and so to its plan.
  return { runtime, pages: { style, plan, item } as Pagination };
}

function inferPages(operation: Operation, { api }: HelperScope): FoundPages | undefined {
  const [planned, item] = [planPaging(operation, api), listItemOf(operation, api)];
  if (planned === undefined || item === undefined || responseSchema(operation) === undefined) return undefined;
  return foundPages(planned, item);
}

function declaredPages(operation: Operation, value: PagingValue, { api }: HelperScope): FoundPages {
  for (const [member, name] of queryNames(value)) needQuery(operation, name, memberOf(value, member));
  const response = responseSchema(operation) ?? true;
  if (value.style === 'page' && value.total !== undefined)
    need(schemaAt(api, response, value.total), `no response has a number at ${JSON.stringify(value.total)}.`, '/total');
  const list = schemaAt(api, response, value.items);
  const item = need(
    list === undefined ? undefined : followRefs(list, api)?.items,
    `no response has a list at ${JSON.stringify(value.items)}.`,
    '/items',
  );
  // Cast: the plan of a style belongs to its function.
  return foundPages(
    { runtime: PAGE_FUNCTIONS[value.style], plan: planPages(operation, value, api) } as PlannedPaging,
    item,
  );
}

/** The members that name query parameters, with these names. */
function queryNames(value: PagingValue): (readonly [member: string, name: string])[] {
  const own =
    value.style === 'offset'
      ? (['skip', value.skip] as const)
      : value.style === 'page'
        ? (['page', value.page] as const)
        : (['token', value.token] as const);
  return value.size === undefined ? [own] : [own, ['size', value.size]];
}

/** The page size if the spec states none. */
const USUAL_SIZE = 20;

function planPages(operation: Operation, value: PagingValue, api: Api): object {
  const { style, ...plan } = value;
  const size = plan.size === undefined ? undefined : queryFacts(operation, plan.size, api);
  const maxSize = plan.maxSize ?? size?.maximum;
  const limited = { ...plan, ...(maxSize === undefined ? {} : { maxSize }) };
  if (value.style === 'page') return { ...limited, ...numberingOf(operation, value.page, api) };
  if (style !== 'offset') return limited;
  const usual = typeof size?.default === 'number' ? size.default : USUAL_SIZE;
  return { ...limited, defaultSize: maxSize ?? usual };
}

function queryFacts(operation: Operation, name: string, api: Api): SchemaObject | undefined {
  const schema = querySchema(operation, name);
  return schema === undefined ? undefined : followRefs(schema, api);
}

/** How pages are counted if no response has a `Link` header. A parameter that is no number cannot be counted. */
function numberingOf(operation: Operation, name: string, api: Api): Pick<LinkPlan, 'first' | 'numbering'> {
  const page = queryFacts(operation, name, api);
  if (page === undefined || !hasNumber(typesOf(page, api))) return {};
  const first = [page.default, page.minimum].find((value) => Number.isSafeInteger(value));
  return {
    numbering: givesHeader(operation, 'Link') ? 'full' : 'all',
    ...(typeof first !== 'number' || first === 1 ? {} : { first }),
  };
}

/** `<operation>Events`, also of operations that respond with a stream of described events. */
export const STREAMING: OperationHelper<StreamingValue | undefined> = {
  extension: 'x-streaming',
  isImplied: true,
  options: 'StreamOptions',
  doc: '@throws ApiError if the server refuses, or sends an error in the stream; BrokenStreamError if the stream breaks, with the received part of its last message; and everything that the call throws.',
  plan(operation, value, scope) {
    const isDeclared = operation.extensions['x-streaming'] !== undefined;
    const message = successOf(operation)
      ?.content.map((media) => messageOf(media, scope, isDeclared))
      .find((schema) => schema !== undefined);
    if (message === undefined) {
      ensure(
        value === undefined,
        'no success of the operation has a text/event-stream whose items are described, by itemSchema, an object or x-event-stream.',
      );
      return undefined;
    }
    for (const name of Object.keys(value?.query ?? {})) needQuery(operation, name, toPointer(['query', name]));
    const failures = failureStatuses(operation);
    const id = operation.id === operation.name ? {} : { id: operation.id };
    const plan = { name: operation.name, ...id, ...value, ...(failures.length === 0 ? {} : { failures }) };
    return {
      name: `${operation.name}Events`,
      summary: `the messages of the stream of \`${operation.name}\``,
      returnType: `AsyncGenerator<${scope.typeOf(message, 'output')}, void, undefined>`,
      code: scope.printRepeated('streamMessages', operation, plan, scope.jsonFunctions({ read: message })),
    };
  },
};

/** The schema of the messages of a stream of events; `undefined` if they are not JSON. */
function messageOf({ sequence, ...media }: MediaType, { api }: HelperScope, isDeclared: boolean): Schema | undefined {
  if (sequence?.framing !== 'event-stream') return undefined;
  const { message, plan } = itemValue(api, { ...media, sequence });
  return plan.format === 'event-text' && !isDeclared ? undefined : message;
}

/** `<operation>Changes` */
export const POLLING: OperationHelper<PollingValue> = {
  extension: 'x-conditional-polling',
  options: 'PollOptions',
  doc: '@throws Everything that the call throws. Pass `since` to continue.',
  plan(operation, value, scope) {
    const { interval, validator = 'Last-Modified', condition = 'If-Modified-Since' } = value;
    ensure(operation.method === 'get', 'only a GET can be polled.');
    for (const [member, name] of Object.entries({ interval, validator }))
      needResponseHeader(operation, name, memberOf(value, member));
    const taken = needHeader(operation, condition, memberOf(value, 'condition'));
    const plan = { interval: interval.toLowerCase(), validator: validator.toLowerCase(), condition: taken.name };
    const status = successOf(operation)?.status === '200' ? '200' : 'number';
    return {
      name: `${operation.name}Changes`,
      summary: `polls \`${operation.name}\` as often as the server allows, and yields each new response`,
      returnType: `AsyncGenerator<Extract<${scope.responseType(operation)}, { readonly status: ${status} }>, void, undefined>`,
      code: scope.printRepeated('pollChanges', operation, plan),
    };
  },
};
