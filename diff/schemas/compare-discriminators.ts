import type { Discriminator } from '../../model/schema-types.js';
import type { DiffPlace } from '../location.js';
import { quote, showValues } from '../phrases.js';
import type { Scope, Side } from './schema-pairs.js';
import type { AlternativeMatch } from './match-alternatives.js';
import type { Shape } from './effective-schema.js';

interface DiscriminatorPair {
  readonly old: Shape;
  readonly next: Shape;
  /** What became of the alternatives beside them. */
  readonly matches: readonly AlternativeMatch[];
}

/** Compares discriminators: the member, and its values but those that came or went with an alternative. */
export function compareDiscriminators({ old, next, matches }: DiscriminatorPair, scope: Scope): void {
  const [was, is] = [findDiscriminator(old), findDiscriminator(next)];
  if (was === undefined && is === undefined) return;
  const places = { old: was?.place ?? old.place, new: is?.place ?? next.place };
  const title = next.place.title;
  if (was === undefined || is === undefined) {
    const name = quote((is ?? was)?.discriminator.propertyName ?? '');
    if (is === undefined)
      scope.report({
        kind: 'discriminator-removed',
        message: `${title} is not told apart by ${name} any more`,
        ...places,
      });
    else scope.report({ kind: 'discriminator-added', message: `${title} is told apart by ${name} now`, ...places });
    return;
  }
  const [oldName, name] = [was.discriminator.propertyName, is.discriminator.propertyName];
  if (oldName !== name) {
    const message = `${title} is told apart by ${quote(name)}, was by ${quote(oldName)}`;
    scope.report({ kind: 'discriminator-changed', message, ...places });
  }
  const gone = new Set(matches.flatMap(({ removed }) => removed.map(({ site }) => site.name)));
  const come = new Set(matches.flatMap(({ added }) => added.map(({ site }) => site.name)));
  const oldValues = readValues(was.discriminator, scope.graph.old, gone);
  const values = readValues(is.discriminator, scope.graph.new, come);
  const removed = [...oldValues].filter((value) => !values.has(value));
  const added = [...values].filter((value) => !oldValues.has(value));
  if (removed.length > 0)
    scope.report({
      kind: 'discriminator-value-removed',
      message: `${quote(name)} of ${next.place.title} must not be ${showValues(removed)} any more`,
      ...places,
    });
  if (added.length > 0)
    scope.report({
      kind: 'discriminator-value-added',
      message: `${quote(name)} of ${next.place.title} may also be ${showValues(added)} now`,
      ...places,
    });
}

function findDiscriminator({
  parts,
}: Shape): { readonly discriminator: Discriminator; readonly place: DiffPlace } | undefined {
  for (const { schema, place } of parts) {
    const { discriminator } = schema;
    if (discriminator !== undefined) return { discriminator, place: place.child('discriminator') };
  }
  return undefined;
}

function readValues(
  { mapping }: Discriminator,
  { sites }: Side,
  without: ReadonlySet<string | undefined>,
): Set<string> {
  const values = Object.entries(mapping).filter(([, name]) => !without.has(sites.api.schemas.get(name)?.originalName));
  return new Set(values.map(([value]) => value));
}
