import type { Api, Parameter } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import { takeAt } from '../../schema/value-path.js';
import { findVersion, versionsShown } from '../checks/version-members.js';
import { linkTo } from '../expectations/next-link.js';
import { type Paging, findPaging } from '../stateful/pagination/walk.js';
import type { Call } from '../types.js';
import { type Source, findAddress, findResourceName, findSource } from './capture.js';
import type { LogEntry } from './exchange-log.js';
import { type Fill, type FillPlace, readPlace } from './reproduction.js';

/** The values that a request takes from earlier responses. `origins`: the entries that gave its ids. */
export function findFills(
  entry: LogEntry,
  origins: ReadonlyMap<FillPlace, LogEntry>,
  { steps, api }: { readonly steps: readonly LogEntry[]; readonly api: Api },
): Fill[] {
  return [
    ...idFills(entry, origins),
    ...headerFills(entry, steps),
    ...addressFills(entry, steps),
    ...versionFills(entry, steps, api),
    ...queryFills(entry, steps, api).filter(({ place }) => !isFilled(place, origins)),
  ];
}

function isFilled(place: FillPlace, known: ReadonlyMap<FillPlace, LogEntry>): boolean {
  if (place.in !== 'parameter') return false;
  return [...known.keys()].some((one) => one.in === 'parameter' && one.parameter === place.parameter);
}

function idFills({ sent }: LogEntry, origins: ReadonlyMap<FillPlace, LogEntry>): Fill[] {
  return [...origins].flatMap(([place, origin]) => {
    const source = findSource(readPlace(sent.call, place), origin.exchange);
    return source === undefined ? [] : [{ place, from: origin.exchange, source }];
  });
}

/** Response headers whose values are sent back in conditions. */
const VALIDATORS = ['etag', 'last-modified'];

function headerFills({ number, sent, exchange: { request } }: LogEntry, steps: readonly LogEntry[]): Fill[] {
  return Object.entries(conditionsOf(sent.call)).flatMap(([name, value]): Fill[] => {
    for (const validator of VALIDATORS) {
      const equal = steps.filter((one) => one.number < number && one.exchange.headers.get(validator) === value);
      // The current tag is the last one. Of others, takes the first: a later one may be equal only because the server
      // is wrong.
      const providers = sent.call.headers?.[name] === undefined ? equal.toReversed() : equal;
      const provider = providers.find((one) => one.exchange.request.url === request.url) ?? providers[0];
      if (provider !== undefined)
        return [{ place: { in: 'header', name }, from: provider.exchange, source: { in: 'header', name: validator } }];
    }
    return [];
  });
}

/** The headers of a call other than parameters, including the current tag. */
function conditionsOf({ headers, tag }: Call): Readonly<Record<string, string>> {
  return { ...(tag === undefined ? {} : { 'if-match': tag }), ...headers };
}

/** Finds the earlier response that showed the version on which the body of a change is based. */
function versionFills({ number, sent: { call } }: LogEntry, steps: readonly LogEntry[], api: Api): Fill[] {
  const { body, operation } = call;
  const version = body === undefined || body.raw !== undefined ? undefined : findVersion(operation, body.media, api);
  const value = version === undefined ? undefined : takeAt(body?.value, version.path);
  if (version === undefined || value === undefined) return [];
  const provider = steps.findLast(({ number: before, exchange: { json } }) => {
    return before < number && isRecord(json) && versionsShown(json).get(version.name) === value;
  });
  const source = provider === undefined ? undefined : findSource(value, provider.exchange);
  if (provider === undefined || source === undefined) return [];
  return [{ place: { in: 'value', path: version.path }, from: provider.exchange, source }];
}

/** An earlier response, and where it shows the URL of a call. */
interface Addressed {
  readonly provider: LogEntry;
  readonly source: Source;
}

/** Finds the earlier response that gave the URL of a call, which may be relative there. */
export function findAddressed({ number, sent, exchange }: LogEntry, known: readonly LogEntry[]): Addressed | undefined {
  const { address } = sent.call;
  const { url } = exchange.request;
  if (address === undefined || !URL.canParse(address, url)) return undefined;
  const target = new URL(address, url).href;
  const earlier = known.filter((one) => one.number < number);
  for (const provider of earlier.toReversed()) {
    const source = findAddress(target, provider.exchange, headersOf(provider.sent.call));
    if (source !== undefined) return { provider: firstWithLink(target, source, earlier) ?? provider, source };
  }
  // The response that creates an item is the first that has its name.
  for (const provider of earlier) {
    const source = findResourceName(target, provider.exchange);
    if (source !== undefined) return { provider, source };
  }
  return undefined;
}

/** All pages may link to the same one: the first of them needs no page before it. */
function firstWithLink(target: string, source: Source, entries: readonly LogEntry[]): LogEntry | undefined {
  const relation = source.in === 'header' ? source.relation : undefined;
  return relation === undefined ? undefined : entries.find((one) => linkTo(one.exchange, relation)?.href === target);
}

function addressFills(entry: LogEntry, steps: readonly LogEntry[]): Fill[] {
  const found = findAddressed(entry, steps);
  return found === undefined ? [] : [{ place: { in: 'address' }, from: found.provider.exchange, source: found.source }];
}

function headersOf({ operation }: Call): string[] {
  return ['location', ...operation.responses.flatMap(({ headers }) => headers.map(({ name }) => name.toLowerCase()))];
}

/** Whether a parameter is the size or number of a page, which may look like an id. */
function isOfPage(parameter: Parameter, paging: Paging | undefined): boolean {
  return paging !== undefined && (parameter === paging.size || (paging.style !== 'link' && parameter === paging.step));
}

/** Finds page tokens in the previous page, and ids of query parameters in earlier responses. */
function queryFills({ number, sent: { call } }: LogEntry, steps: readonly LogEntry[], api: Api): Fill[] {
  const paging = findPaging(call.operation, api);
  const step = paging?.style === 'token' || paging?.style === 'after' ? paging.step : undefined;
  return [...call.parameters].flatMap(([parameter, value]): Fill[] => {
    if (parameter.in !== 'query' || typeof value !== 'string') return [];
    const provider = steps.findLast((one) => one.number < number && findSource(value, one.exchange) !== undefined);
    const source = provider === undefined ? undefined : findSource(value, provider.exchange);
    if (provider === undefined || source === undefined) return [];
    // Not a question of the map: it asks which earlier response showed this value, whatever its member is.
    const isId = source.in === 'body' && /id$/i.test(source.pointer) && !isOfPage(parameter, paging);
    return parameter === step || isId
      ? [{ place: { in: 'parameter', parameter }, from: provider.exchange, source }]
      : [];
  });
}
