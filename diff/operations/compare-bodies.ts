import { DiffPlace } from '../location.js';
import type { OperationPair } from '../diff-context.js';
import { compareContents } from './compare-contents.js';
import { compareExtensions } from './compare-extensions.js';
import { compareDescriptions } from './compare-descriptions.js';

/** Compares request bodies. */
export function compareBodies(pair: OperationPair): void {
  const [was, is] = [pair.old.body, pair.new.body];
  if (was === undefined && is === undefined) return;
  const places = {
    old: was === undefined ? pair.oldPlace : DiffPlace.at(was.source),
    new: is === undefined ? pair.newPlace : DiffPlace.at(is.source),
  };
  if (was === undefined || is === undefined) {
    const required = is?.required === true;
    if (is === undefined)
      pair.asking({ kind: 'body-removed', message: 'The request body is gone', ...places, anchor: 'old' });
    else
      pair.asking({
        kind: 'body-added',
        message: `The request body is new${required ? ' and required' : ''}`,
        ...places,
        anchor: 'new',
        exceptions: required ? ['request'] : [],
      });
    return;
  }
  if (was.required !== is.required)
    pair.asking({
      kind: is.required ? 'body-became-required' : 'body-became-optional',
      message: `The request body is ${is.required ? 'required' : 'optional'} now`,
      ...places,
    });
  const title = 'the request body';
  compareContents(pair, { old: was.content, new: is.content, title, direction: pair.asks }, places);
  compareDescriptions(pair, pair.asks, { old: was, new: is, title });
  compareExtensions(pair, pair.asks, { old: was, new: is, title });
}
