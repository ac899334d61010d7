import type { Api, Operation } from '../model/api.js';
import { getOrInsert } from '../model/maps.js';
import { PathGroups } from './collections.js';
import { type PageCorrection, correctionFor, correctionsOf } from './corrections.js';
import type { Basis } from './resource.js';

/** What a correction or `x-pagination` says about the pages of a list. */
export interface SaidPaging extends PageCorrection {
  readonly style?: 'offset' | 'page' | 'token';
  readonly basis: Basis;
}

/** What the spec or the configuration says about the pages of a list: it decides over inference. */
export function saidPaging(operation: Operation, api: Api): SaidPaging | undefined {
  const page = pageCorrection(operation, api);
  if (page !== undefined && page !== false) {
    const style = page.cursor !== undefined ? 'token' : page.offset !== undefined ? 'offset' : 'page';
    const isStep = page.cursor !== undefined || page.offset !== undefined || page.page !== undefined;
    return { ...page, ...(isStep ? { style } : {}), basis: { reason: 'resources says so', isSure: true } };
  }
  const value = operation.extensions['x-pagination'] as Readonly<Record<string, unknown>> | undefined;
  const style = STYLES.find((one) => one === value?.['style']);
  if (value === undefined || style === undefined) return undefined;
  const text = (name: string): string | undefined => (typeof value[name] === 'string' ? value[name] : undefined);
  const named = { size: text('size'), offset: text('skip'), page: text('page'), cursor: text('token') };
  const pointers = { next: text('next'), total: text('total') };
  const known = Object.entries({ ...named, ...pointers }).filter(([, one]) => one !== undefined);
  return { ...Object.fromEntries(known), style, basis: { reason: 'x-pagination says so', isSure: true } };
}

const STYLES = ['offset', 'page', 'token'] as const;

const groups = new WeakMap<Api, PathGroups>();

/** Whether a correction says that a list has no paging helper. */
export function isHelperRefused(operation: Operation, api: Api): boolean {
  return pageCorrection(operation, api) === false;
}

function pageCorrection(operation: Operation, api: Api): PageCorrection | false | undefined {
  if (!Object.values(correctionsOf(api)).some((one) => one !== false && one.page !== undefined)) return undefined;
  const places = getOrInsert(groups, api, () => new PathGroups(api)).placesOf(operation);
  const paths = [operation.path, ...places.map(({ group }) => group.collectionPath)];
  for (const path of paths) {
    const correction = correctionFor(path, api);
    if (correction !== undefined && correction !== false && correction.page !== undefined) return correction.page;
  }
  return undefined;
}
