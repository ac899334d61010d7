import type { ApiResponse, Header, Link } from '../../model/api.js';
import type { OperationPair } from '../diff-context.js';
import { SpecLocation, bothLocations, whereAdded, whereRemoved } from '../location.js';
import { matchByKey } from '../match-by-key.js';
import { describeDeprecation, quoteShort } from '../phrases.js';
import { canonicalJson } from '../schemas/canonical-json.js';
import { compareContents } from './compare-bodies.js';
import { locatedSchemaOf } from './compare-parameters.js';
import { compareWords } from './compare-words.js';

/** Compares responses by status; one that a range such as `2XX` now covers is compared with the range. */
export function compareResponses(pair: OperationPair): void {
  const { pairs, removed, added } = matchByKey(pair.old.responses, pair.new.responses, ({ status }) => status);
  for (const [was, is] of pairs) compareResponse(pair, was, is);
  for (const was of removed) {
    const range = pair.new.responses.find(({ status }) => status === `${was.status.charAt(0)}XX`);
    if (range !== undefined) compareResponse(pair, was, range);
    else
      pair.reportInResponse({
        kind: isSuccess(was) ? 'success-response-removed' : 'error-response-removed',
        message: `The response ${was.status} is gone`,
        ...whereRemoved(was, pair.newLocation.child('responses')),
      });
  }
  for (const is of added)
    pair.reportInResponse({
      kind: isSuccess(is) ? 'success-response-added' : 'error-response-added',
      message: `The response ${is.status} is new`,
      ...whereAdded(pair.oldLocation.child('responses'), is),
    });
}

function isSuccess({ status }: ApiResponse): boolean {
  return /^[123]/.test(status);
}

function compareResponse(pair: OperationPair, was: ApiResponse, is: ApiResponse): void {
  const title = `the response ${is.status}`;
  compareContents(pair, { old: was, new: is, title, direction: pair.responseDirection });
  compareHeaders(pair, was, is);
  compareLinks(pair, was, is);
  compareWords(pair, pair.responseDirection, { old: was, new: is, title });
}

function compareHeaders(pair: OperationPair, old: ApiResponse, next: ApiResponse): void {
  const { pairs, removed, added } = matchByKey(old.headers, next.headers, ({ name }) => name.toLowerCase());
  for (const [was, is] of pairs) compareHeader(pair, { was, is, title: titleOf(is, next) });
  for (const was of removed)
    pair.reportInResponse({
      kind: 'header-removed',
      message: `${titleOf(was, old)} is gone`,
      ...whereRemoved(was, SpecLocation.at(next.source).child('headers')),
      exceptions: was.required ? ['response'] : [],
    });
  for (const is of added)
    pair.reportInResponse({
      kind: 'header-added',
      message: `${titleOf(is, next)} is new${is.required ? ' and required' : ''}`,
      ...whereAdded(SpecLocation.at(old.source).child('headers'), is),
      exceptions: is.required ? ['request'] : [],
    });
}

function titleOf({ name }: Header, { status }: ApiResponse): string {
  return `the header ${quoteShort(name)} of the response ${status}`;
}

interface HeaderPair {
  readonly was: Header;
  readonly is: Header;
  readonly title: string;
}

function compareHeader(pair: OperationPair, { was, is, title }: HeaderPair): void {
  const locations = bothLocations(was, is);
  if (was.required !== is.required)
    pair.reportInResponse({
      kind: is.required ? 'header-became-required' : 'header-became-optional',
      message: `${title} is ${is.required ? 'always there now' : 'optional now'}`,
      ...locations,
    });
  if (was.deprecated !== is.deprecated)
    pair.reportInResponse({ ...describeDeprecation(title, is.deprecated), ...locations });
  const usage = pair.usage(pair.responseDirection);
  pair.context.schemas.addRoot(locatedSchemaOf(was, title), locatedSchemaOf(is, title), usage);
  compareWords(pair, pair.responseDirection, { old: was, new: is, title });
}

function compareLinks(pair: OperationPair, old: ApiResponse, next: ApiResponse): void {
  const titleOf = ({ name }: Link): string => `The link ${quoteShort(name)} of the response ${next.status}`;
  const { pairs, removed, added } = matchByKey(old.links, next.links, ({ name }) => name);
  for (const [was, is] of pairs) {
    if (essenceOf(was) === essenceOf(is)) continue;
    const message = `${titleOf(is)} leads elsewhere, or takes other values`;
    pair.reportInResponse({ kind: 'link-changed', message, ...bothLocations(was, is) });
  }
  for (const was of removed)
    pair.reportInResponse({ kind: 'link-removed', message: `${titleOf(was)} is gone`, ...whereRemoved(was, next) });
  for (const is of added)
    pair.reportInResponse({ kind: 'link-added', message: `${titleOf(is)} is new`, ...whereAdded(old, is) });
}

function essenceOf({ operationId, parameters, requestBody }: Link): string {
  return canonicalJson([operationId, parameters, requestBody]);
}
