import { hasNumber, typesOf } from '../../schema/facts/members.js';
import { followRefs } from '../../schema/facts/parts.js';
import type { Api, Operation } from '../../model/api.js';
import type { LinkPlan } from '../../runtime/paging.js';
import type { SchemaObject } from '../../model/schema-types.js';
import { printValue } from '../fixtures/print-value.js';
import { type HelperFunction, type HelperScope, memberOf, printCall } from './helper-scope.js';
import type { PagingValue } from '../../model/helper-values.js';
import { givesHeader, responseSchema, querySchema, schemaAt } from './schema-at.js';

const RUNNERS = { offset: 'pageByOffset', page: 'pageByLink', token: 'pageByToken' } as const;

/** Reads `<operation>Items`, the helper of an operation with `x-pagination`. */
export function readPaging(operation: Operation, scope: HelperScope): HelperFunction | undefined {
  const value = scope.extension(operation, 'x-pagination') as PagingValue | undefined;
  if (value === undefined) return undefined;
  const refuse = (problem: string, member: string): undefined =>
    scope.refuse(operation, 'x-pagination', problem, member);
  const unknown = queryNames(value).find(([, name]) => querySchema(operation, name) === undefined);
  if (unknown !== undefined)
    return refuse(`the operation has no query parameter ${JSON.stringify(unknown[1])}.`, memberOf(value, unknown[0]));
  const response = responseSchema(operation);
  const list = response === undefined ? undefined : schemaAt(scope.api, response, value.items);
  if (
    value.style === 'page' &&
    value.total !== undefined &&
    schemaAt(scope.api, response ?? true, value.total) === undefined
  )
    return refuse(`no response has a number at ${JSON.stringify(value.total)}.`, '/total');
  const item = list === undefined ? undefined : followRefs(list, scope.api)?.items;
  if (item === undefined) return refuse(`no response has a list at ${JSON.stringify(value.items)}.`, '/items');
  const { imports } = scope;
  return {
    name: `${operation.name}Items`,
    summary: `all items of \`${operation.name}\`, page by page`,
    doc: '@throws PagingError if the server links in a circle or to another server, or has more items than it lists; RangeError if a page cannot be as large as requested; and everything that the call throws.',
    parameters: [
      scope.requestParameter(operation),
      { name: 'options', type: imports.use('PageOptions'), isOptional: true },
    ],
    returnType: `${imports.use('Listing')}<${scope.typeOf(item, 'output')}>`,
    code: `${imports.use(RUNNERS[value.style])}(${printCall(operation)}, ${printValue(planOf(operation, value, scope), '')}, { request, options })`,
  };
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

function planOf(operation: Operation, value: PagingValue, { api }: HelperScope): object {
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
