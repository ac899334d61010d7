import type { Api, Operation } from '../model/api.js';
import { toPointer } from '../model/document/pointer.js';
import type { Schema } from '../model/schema-types.js';
import { hasNumber, membersOf, typesOf } from '../schema/facts/members.js';
import type { ListParameter } from './list-inputs.js';
import type { PageMember } from './page-members.js';
import type { PageParameters } from './page-parameters.js';
import type { Basis } from './resource.js';
import type { SaidPaging } from './said-paging.js';

/** How a list goes on from page to page. */
export interface Paging {
  readonly style: 'offset' | 'page' | 'token' | 'after' | 'link';
  /** The parameter that moves on; absent if only links lead on. */
  readonly step?: ListParameter;
  readonly size?: ListParameter;
  /** The member of a page that `step` takes, or whose link contains it. */
  readonly next?: PageMember;
  /** The member of the last item that `step` takes, in the style `after`. */
  readonly id?: string;
  readonly more?: PageMember;
  readonly total?: PageMember;
  readonly basis: Basis;
}

/** What is known of a list before its pages are found. */
export interface PageFacts {
  readonly operation: Operation;
  readonly api: Api;
  readonly item: Schema;
  readonly parameters: PageParameters;
  readonly members: readonly PageMember[];
  readonly hasLinkHeader: boolean;
  readonly said: SaidPaging | undefined;
}

/** The member that `style` takes on: what the spec says, else a token, else a link, the clearest name first. */
function findNext(
  { members, said }: Pick<PageFacts, 'members' | 'said'>,
  form: 'text' | 'link' | 'number',
): PageMember | undefined {
  const all = members.filter((one) => one.role === 'next' && one.form === form);
  if (said?.next !== undefined) return all.find(({ path }) => toPointer(path) === said.next);
  return all.find(({ words }) => /\bnext\b/.test(words)) ?? all[0];
}

/** How a list goes on; `undefined` if nothing leads on. */
export function findPaging(facts: PageFacts): Paging | undefined {
  const { parameters, members, said } = facts;
  const { size } = parameters;
  const way = findWay(facts);
  if (way === undefined) return undefined;
  const of = (role: PageMember['role'], pointer?: string): PageMember | undefined =>
    members.find((one) => one.role === role && (pointer === undefined || toPointer(one.path) === pointer));
  const [more, total] = [of('more', said?.more), of('total', said?.total)];
  return {
    ...way,
    ...(size === undefined ? {} : { size }),
    ...(more === undefined ? {} : { more }),
    ...(total === undefined ? {} : { total }),
  };
}

type Way = Pick<Paging, 'style' | 'step' | 'next' | 'id' | 'basis'>;

/** The first way that leads on: what the spec says, else counting, else what a response gives. */
function findWay(facts: PageFacts): Way | undefined {
  const ways = findWays(facts);
  const { said } = facts;
  const found = ways.find((way) =>
    said?.style === undefined
      ? way.next !== undefined && toPointer(way.next.path) === said?.next
      : way.style === said.style || (way.style === 'after' && said.style === 'token'),
  );
  if (said !== undefined && found !== undefined) return { ...found, basis: said.basis };
  const [first, ...others] = ways;
  if (first === undefined || others.every(({ style }) => style === 'link')) return first;
  const isSure = false;
  return { ...first, basis: { ...first.basis, isSure } };
}

function findWays(facts: PageFacts): Way[] {
  const { parameters, hasLinkHeader, operation, api } = facts;
  const { offset, page, token, size } = parameters;
  const [text, link, number] = [findNext(facts, 'text'), findNext(facts, 'link'), findNext(facts, 'number')];
  const counted = (step: ListParameter, style: 'offset' | 'page'): Way => ({
    ...{ style, step },
    basis: {
      reason: size === undefined ? `takes ${step.name}` : `takes ${step.name} and ${size.name}`,
      isSure: size !== undefined && hasNumber(typesOf(step.schema, api)) && hasNumber(typesOf(size.schema, api)),
    },
  });
  const given = text ?? number ?? link;
  return [
    ...(offset === undefined ? [] : [counted(offset, 'offset')]),
    ...(page === undefined ? [] : [counted(page, 'page')]),
    ...(token === undefined ? [] : tokenWay(facts, { token, given })),
    ...(link === undefined && !hasLinkHeader ? [] : operation.method === 'get' ? [linkWay(link)] : []),
  ];
}

function linkWay(link: PageMember | undefined): Way {
  const where = link === undefined ? 'a Link header' : toPointer(link.path);
  return {
    style: 'link',
    ...(link === undefined ? {} : { next: link }),
    basis: { reason: `returns ${where}`, isSure: link === undefined || /\bnext\b/.test(link.words) },
  };
}

function tokenWay(
  { item, api, hasLinkHeader, parameters }: PageFacts,
  { token, given }: { readonly token: ListParameter; readonly given: PageMember | undefined },
): Way[] {
  if (given !== undefined || hasLinkHeader) {
    const where = given === undefined ? 'a Link header' : toPointer(given.path);
    const reason = `takes ${token.name} and returns ${where}`;
    return [
      {
        style: 'token',
        step: token,
        ...(given === undefined ? {} : { next: given }),
        basis: { reason, isSure: given !== undefined },
      },
    ];
  }
  const id = [...membersOf(item, api).keys()].find((name) => /^_?id$/i.test(name));
  if (!parameters.takesId || id === undefined) return [];
  return [
    { style: 'after', step: token, id, basis: { reason: `takes the ${id} of an item as ${token.name}`, isSure: true } },
  ];
}
