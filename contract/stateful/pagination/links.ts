import { toPointer } from '../../../model/document/pointer.js';
import { isRecord } from '../../../model/document/records.js';
import { foldName } from '../../../resources/inflection.js';
import type { Parameter } from '../../../model/api.js';
import type { ContractRun } from '../../execute/contract-run.js';
import { credentialPlaces } from '../../execute/http/made-up-credentials.js';
import type { Call, Exchange } from '../../types.js';

/** A URL in a body, and its place. */
export interface MemberLink {
  readonly url: URL;
  readonly pointer: string;
}

/** The next page by a member: `next`, `nextLink`, `links.next` or `_links.next.href`. */
export function memberLink({ json, request }: Exchange): MemberLink | undefined {
  for (const { address, pointer } of linkMembers(json))
    if (typeof address === 'string' && /[/?]/.test(address) && URL.canParse(address, request.url))
      return { url: new URL(address, request.url), pointer };
  return undefined;
}

/** A pointer to the member for the link to the next page. It is empty on the last page. */
export function nextLinkPlace(exchange: Exchange): string | undefined {
  const empty = linkMembers(exchange.json).find(({ address }) => address === null || address === '');
  return memberLink(exchange)?.pointer ?? empty?.pointer;
}

/** The members of a page that may link to the next one. */
function linkMembers(json: unknown): { readonly address: unknown; readonly pointer: string }[] {
  if (!isRecord(json)) return [];
  return ['', 'links', '_links', 'pagination', 'paging', 'meta'].flatMap((group) => {
    const members = group === '' ? json : json[group];
    const [name, found] = Object.entries(isRecord(members) ? members : {}).find(([one]) => NEXT_LINK.test(one)) ?? [];
    if (name === undefined) return [];
    const path = [...(group === '' ? [] : [group]), name, ...(isRecord(found) ? ['href'] : [])];
    return [{ address: isRecord(found) ? found['href'] : found, pointer: toPointer(path) }];
  });
}

const NEXT_LINK = /^(?:@odata\.)?next(?:_?(?:link|url|page))?$/i;

const MORE = /^has(?:more|next|nextpage)$/;

/** The boolean member that says whether there are more pages. */
export function readMore({ json }: Exchange): FoundMember | undefined {
  return findMember(json, MORE, (value) => typeof value === 'boolean');
}

export interface FoundMember {
  readonly value: unknown;
  readonly path: readonly string[];
}

/** Finds a member of the body, or of an object in it such as `meta`, by its name without case and separators. */
export function findMember(
  json: unknown,
  name: RegExp,
  isFitting: (value: unknown) => boolean,
): FoundMember | undefined {
  if (!isRecord(json)) return undefined;
  const groups = [
    [],
    ...Object.keys(json)
      .filter((key) => isRecord(json[key]))
      .map((key) => [key]),
  ];
  for (const group of groups) {
    const inside = group[0] === undefined ? json : json[group[0]];
    if (!isRecord(inside)) continue;
    const key = Object.keys(inside).find((one) => name.test(foldName(one)) && isFitting(inside[one]));
    if (key !== undefined) return { value: inside[key], path: [...group, key] };
  }
  return undefined;
}

/** The request for a link to another page of the same list; `undefined` if the link leads elsewhere. */
export function followLink(
  run: Pick<ContractRun, 'options'>,
  call: Call,
  { exchange, link }: Followed,
): Call | undefined {
  const { origin, pathname } = new URL(exchange.request.url);
  if (link.origin !== origin || link.pathname !== pathname) return undefined;
  const secret = credentialPlaces(run.options.api).query;
  const known = new Map(call.operation.parameters.filter((one) => one.in === 'query').map((one) => [one.name, one]));
  const parameters = new Map<Parameter, unknown>([...call.parameters].filter(([one]) => one.in !== 'query'));
  const query: Record<string, string> = {};
  for (const name of new Set(link.searchParams.keys())) {
    const values = link.searchParams.getAll(name);
    const parameter = known.get(name);
    if (parameter !== undefined) parameters.set(parameter, values.length === 1 ? values[0] : values);
    else if (!secret.has(name)) query[name] = values[0] ?? '';
  }
  return { ...call, parameters, query };
}

interface Followed {
  readonly exchange: Exchange;
  readonly link: URL;
}

/** Whether a member of a page says that there are more. */
export function saysMore({ json }: Exchange): boolean {
  return (
    isRecord(json) &&
    Object.entries(json).some(
      ([name, value]) =>
        (/^has_?(?:more|next(?:_?page)?)$/i.test(name) && value === true) ||
        (/^next(?:_?page)?(?:_?token|_?cursor)$/i.test(name) && typeof value === 'string' && value !== ''),
    )
  );
}
