import { toPointer } from '../../../model/document/pointer.js';
import { type PageMember, pageMembersIn } from '../../../resources/page-members.js';
import { takeAt } from '../../../schema/value-path.js';
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
  const found = findMember(
    json,
    ({ role, form }, value) =>
      role === 'next' &&
      form === 'link' &&
      typeof value === 'string' &&
      /[/?]/.test(value) &&
      URL.canParse(value, request.url),
  );
  return found === undefined
    ? undefined
    : { url: new URL(String(found.value), request.url), pointer: toPointer(found.path) };
}

/** A pointer to the member for the link to the next page. It is empty on the last page. */
export function nextLinkPlace(exchange: Exchange): string | undefined {
  const empty = findMember(exchange.json, ({ role }, value) => role === 'next' && (value === null || value === ''));
  return memberLink(exchange)?.pointer ?? (empty === undefined ? undefined : toPointer(empty.path));
}

/** The boolean member that says whether there are more pages. */
export function readMore({ json }: Exchange): FoundMember | undefined {
  return findMember(json, ({ role }) => role === 'more');
}

export interface FoundMember {
  readonly value: unknown;
  readonly path: readonly string[];
}

/** Finds a member of a page by what it says about the list. Outer members come first. */
export function findMember(
  json: unknown,
  isFitting: (member: PageMember, value: unknown) => boolean,
): FoundMember | undefined {
  const members = pageMembersIn(json).toSorted((one, other) => one.path.length - other.path.length);
  const found = members.find((member) => isFitting(member, takeAt(json, member.path)));
  return found === undefined ? undefined : { value: takeAt(json, found.path), path: found.path };
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
  const isMore = ({ role, form, words }: PageMember, value: unknown): boolean =>
    (role === 'more' && value === true) ||
    (role === 'next' && form === 'text' && words.includes('next') && words !== 'next' && value !== '');
  return findMember(json, isMore) !== undefined;
}
