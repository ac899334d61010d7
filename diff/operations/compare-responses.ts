import type { ApiResponse, Header } from '../../model/api.js';
import { DiffPlace } from '../location.js';
import { type OperationPair, bothPlaces } from '../diff-context.js';
import { quote } from '../phrases.js';
import { compareContents } from './compare-contents.js';
import { compareExtensions } from './compare-extensions.js';
import { compareLinks } from './compare-links.js';
import { schemaPart } from './compare-parameter-schemas.js';
import { compareDescriptions } from './compare-descriptions.js';

/** Compares responses by their status; one that is covered by a range now, such as `2XX`, is compared with that. */
export function compareResponses(pair: OperationPair): void {
  const added = new Map(pair.new.responses.map((response) => [response.status, response]));
  for (const was of pair.old.responses) {
    const is = added.get(was.status) ?? added.get(`${was.status.charAt(0)}XX`);
    added.delete(was.status);
    if (is !== undefined) compareResponse(pair, was, is);
    else
      pair.answering({
        kind: isSuccess(was) ? 'success-response-removed' : 'error-response-removed',
        message: `The response ${was.status} is gone`,
        old: DiffPlace.at(was.source),
        new: pair.newPlace.child('responses'),
        anchor: 'old',
      });
  }
  for (const is of added.values())
    pair.answering({
      kind: isSuccess(is) ? 'success-response-added' : 'error-response-added',
      message: `The response ${is.status} is new`,
      old: pair.oldPlace.child('responses'),
      new: DiffPlace.at(is.source),
      anchor: 'new',
    });
}

function isSuccess({ status }: ApiResponse): boolean {
  return /^[123]/.test(status);
}

function compareResponse(pair: OperationPair, was: ApiResponse, is: ApiResponse): void {
  const title = `the response ${is.status}`;
  const contents = { old: was.content, new: is.content, title, direction: pair.answers };
  compareContents(pair, contents, bothPlaces(was, is));
  compareHeaders(pair, was, is);
  compareLinks(pair, { old: was, new: is, title });
  compareDescriptions(pair, pair.answers, { old: was, new: is, title });
  compareExtensions(pair, pair.answers, { old: was, new: is, title });
}

function compareHeaders(pair: OperationPair, was: ApiResponse, is: ApiResponse): void {
  const added = new Map(is.headers.map((header) => [header.name.toLowerCase(), header]));
  for (const before of was.headers) {
    const now = added.get(before.name.toLowerCase());
    added.delete(before.name.toLowerCase());
    if (now !== undefined) compareHeader(pair, before, { now, title: titleOf(now, is) });
    else
      pair.answering({
        kind: 'header-removed',
        message: `${titleOf(before, was)} is gone`,
        old: DiffPlace.at(before.source),
        new: DiffPlace.at(is.source).child('headers'),
        anchor: 'old',
        exceptions: before.required ? ['response'] : [],
      });
  }
  for (const now of added.values())
    pair.answering({
      kind: 'header-added',
      message: `${titleOf(now, is)} is new${now.required ? ' and required' : ''}`,
      old: DiffPlace.at(was.source).child('headers'),
      new: DiffPlace.at(now.source),
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
  const places = bothPlaces(was, now);
  if (was.required !== now.required)
    pair.answering({
      kind: now.required ? 'header-became-required' : 'header-became-optional',
      message: `${title} is ${now.required ? 'always there now' : 'optional now'}`,
      ...places,
    });
  if (was.deprecated !== now.deprecated)
    pair.answering({
      kind: now.deprecated ? 'deprecated' : 'undeprecated',
      message: `${title} is ${now.deprecated ? 'deprecated now' : 'not deprecated any more'}`,
      ...places,
    });
  const parts = [schemaPart(was, title), schemaPart(now, title)] as const;
  pair.session.schemas.addRoot(...parts, pair.touch(pair.answers));
  compareDescriptions(pair, pair.answers, { old: was, new: now, title });
  compareExtensions(pair, pair.answers, { old: was, new: now, title });
}
