import type { ApiResponse, Header, Link } from '../../model/api.js';
import { type OperationPair, bothLocations } from '../diff-context.js';
import { SpecLocation } from '../location.js';
import { quote } from '../phrases.js';
import { canonicalJson } from '../schemas/canonical-json.js';
import { compareContents } from './compare-bodies.js';
import { compareDescriptions } from './compare-descriptions.js';
import { compareExtensions } from './compare-extensions.js';
import { schemaPart } from './compare-parameters.js';

/** Compares responses by their status; one that is covered by a range now, such as `2XX`, is compared with that. */
export function compareResponses(pair: OperationPair): void {
  const added = new Map(pair.new.responses.map((response) => [response.status, response]));
  for (const was of pair.old.responses) {
    const is = added.get(was.status) ?? added.get(`${was.status.charAt(0)}XX`);
    added.delete(was.status);
    if (is !== undefined) compareResponse(pair, was, is);
    else
      pair.reportInResponse({
        kind: isSuccess(was) ? 'success-response-removed' : 'error-response-removed',
        message: `The response ${was.status} is gone`,
        old: SpecLocation.at(was.source),
        new: pair.newLocation.child('responses'),
        anchor: 'old',
      });
  }
  for (const is of added.values())
    pair.reportInResponse({
      kind: isSuccess(is) ? 'success-response-added' : 'error-response-added',
      message: `The response ${is.status} is new`,
      old: pair.oldLocation.child('responses'),
      new: SpecLocation.at(is.source),
      anchor: 'new',
    });
}

function isSuccess({ status }: ApiResponse): boolean {
  return /^[123]/.test(status);
}

function compareResponse(pair: OperationPair, was: ApiResponse, is: ApiResponse): void {
  const title = `the response ${is.status}`;
  const contents = { old: was.content, new: is.content, title, direction: pair.responseDirection };
  compareContents(pair, contents, bothLocations(was, is));
  compareHeaders(pair, was, is);
  compareLinks(pair, { old: was, new: is, title });
  compareDescriptions(pair, pair.responseDirection, { old: was, new: is, title });
  compareExtensions(pair, pair.responseDirection, { old: was, new: is, title });
}

function compareHeaders(pair: OperationPair, was: ApiResponse, is: ApiResponse): void {
  const added = new Map(is.headers.map((header) => [header.name.toLowerCase(), header]));
  for (const before of was.headers) {
    const now = added.get(before.name.toLowerCase());
    added.delete(before.name.toLowerCase());
    if (now !== undefined) compareHeader(pair, before, { now, title: titleOf(now, is) });
    else
      pair.reportInResponse({
        kind: 'header-removed',
        message: `${titleOf(before, was)} is gone`,
        old: SpecLocation.at(before.source),
        new: SpecLocation.at(is.source).child('headers'),
        anchor: 'old',
        exceptions: before.required ? ['response'] : [],
      });
  }
  for (const now of added.values())
    pair.reportInResponse({
      kind: 'header-added',
      message: `${titleOf(now, is)} is new${now.required ? ' and required' : ''}`,
      old: SpecLocation.at(was.source).child('headers'),
      new: SpecLocation.at(now.source),
      anchor: 'new',
      exceptions: now.required ? ['request'] : [],
    });
}

function titleOf({ name }: Header, { status }: ApiResponse): string {
  return `the header ${quote(name)} of the response ${status}`;
}

function compareHeader(
  pair: OperationPair,
  was: Header,
  { now, title }: { readonly now: Header; readonly title: string },
): void {
  const locations = bothLocations(was, now);
  if (was.required !== now.required)
    pair.reportInResponse({
      kind: now.required ? 'header-became-required' : 'header-became-optional',
      message: `${title} is ${now.required ? 'always there now' : 'optional now'}`,
      ...locations,
    });
  if (was.deprecated !== now.deprecated)
    pair.reportInResponse({
      kind: now.deprecated ? 'deprecated' : 'undeprecated',
      message: `${title} is ${now.deprecated ? 'deprecated now' : 'not deprecated any more'}`,
      ...locations,
    });
  const parts = [schemaPart(was, title), schemaPart(now, title)] as const;
  pair.context.schemas.addRoot(...parts, pair.usage(pair.responseDirection));
  compareDescriptions(pair, pair.responseDirection, { old: was, new: now, title });
  compareExtensions(pair, pair.responseDirection, { old: was, new: now, title });
}

interface ResponsePair {
  readonly old: ApiResponse;
  readonly new: ApiResponse;
  readonly title: string;
}

/** Compares the links of a response by their names. */
function compareLinks(pair: OperationPair, { old, new: next, title }: ResponsePair): void {
  const added = new Map(next.links.map((link) => [link.name, link]));
  for (const was of old.links) {
    const is = added.get(was.name);
    added.delete(was.name);
    const link = `The link ${quote(was.name)} of ${title}`;
    if (is === undefined)
      pair.reportInResponse({
        kind: 'link-removed',
        message: `${link} is gone`,
        old: SpecLocation.at(was.source),
        new: SpecLocation.at(next.source),
        anchor: 'old',
      });
    else if (essenceOf(was) !== essenceOf(is))
      pair.reportInResponse({
        kind: 'link-changed',
        message: `${link} leads elsewhere, or takes other values`,
        ...bothLocations(was, is),
      });
  }
  for (const is of added.values())
    pair.reportInResponse({
      kind: 'link-added',
      message: `The link ${quote(is.name)} of ${title} is new`,
      old: SpecLocation.at(old.source),
      new: SpecLocation.at(is.source),
      anchor: 'new',
    });
}

function essenceOf({ operationId, parameters, requestBody }: Link): string {
  return canonicalJson([operationId, parameters, requestBody]);
}
