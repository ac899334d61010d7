import type { ApiResponse, Link } from '../../model/api.js';
import { DiffPlace } from '../location.js';
import { stableText } from '../schemas/canonical-json.js';
import { type OperationPair, bothPlaces } from '../diff-context.js';
import { quote } from '../phrases.js';

interface ResponsePair {
  readonly old: ApiResponse;
  readonly new: ApiResponse;
  readonly title: string;
}

/** Compares the links of a response by their names. */
export function compareLinks(pair: OperationPair, { old, new: next, title }: ResponsePair): void {
  const added = new Map(next.links.map((link) => [link.name, link]));
  for (const was of old.links) {
    const is = added.get(was.name);
    added.delete(was.name);
    const link = `The link ${quote(was.name)} of ${title}`;
    if (is === undefined)
      pair.answering({
        kind: 'link-removed',
        message: `${link} is gone`,
        old: DiffPlace.at(was.source),
        new: DiffPlace.at(next.source),
        anchor: 'old',
      });
    else if (essenceOf(was) !== essenceOf(is))
      pair.answering({
        kind: 'link-changed',
        message: `${link} leads elsewhere, or takes other values`,
        ...bothPlaces(was, is),
      });
  }
  for (const is of added.values())
    pair.answering({
      kind: 'link-added',
      message: `The link ${quote(is.name)} of ${title} is new`,
      old: DiffPlace.at(old.source),
      new: DiffPlace.at(is.source),
      anchor: 'new',
    });
}

function essenceOf({ operationId, parameters, requestBody }: Link): string {
  return stableText([operationId, parameters, requestBody]);
}
