import type { Discriminator } from '../../model/schema-types.js';
import type { SpecLocation } from '../location.js';
import { quote, showValues } from '../phrases.js';
import type { Scope, Side } from './scope.js';
import type { AlternativeMatch } from './match-alternatives.js';
import type { EffectiveSchema } from './effective-schema.js';

interface DiscriminatorPair {
  readonly old: EffectiveSchema;
  readonly next: EffectiveSchema;
  /** The changes of the alternatives beside them. */
  readonly matches: readonly AlternativeMatch[];
}

/** Compares discriminators: the member, and its values but those that came or went with an alternative. */
export function compareDiscriminators({ old, next, matches }: DiscriminatorPair, scope: Scope): void {
  const [was, is] = [findDiscriminator(old), findDiscriminator(next)];
  if (was === undefined && is === undefined) return;
  const locations = { old: was?.location ?? old.location, new: is?.location ?? next.location };
  const title = next.location.title;
  if (was === undefined || is === undefined) {
    const name = quote((is ?? was)?.discriminator.propertyName ?? '');
    if (is === undefined)
      scope.report({
        kind: 'discriminator-removed',
        message: `${title} is no longer discriminated by ${name}`,
        ...locations,
      });
    else
      scope.report({ kind: 'discriminator-added', message: `${title} is now discriminated by ${name}`, ...locations });
    return;
  }
  const [oldName, name] = [was.discriminator.propertyName, is.discriminator.propertyName];
  if (oldName !== name) {
    const message = `${title} is discriminated by ${quote(name)}, was by ${quote(oldName)}`;
    scope.report({ kind: 'discriminator-changed', message, ...locations });
  }
  compareDefaults({ was: was.discriminator, is: is.discriminator, title, locations }, scope);
  const gone = new Set(matches.flatMap(({ removed }) => removed.map(({ site }) => site.name)));
  const come = new Set(matches.flatMap(({ added }) => added.map(({ site }) => site.name)));
  const oldValues = readValues(was.discriminator, scope.sides.old, gone);
  const values = readValues(is.discriminator, scope.sides.new, come);
  const removed = [...oldValues].filter((value) => !values.has(value));
  const added = [...values].filter((value) => !oldValues.has(value));
  if (removed.length > 0)
    scope.report({
      kind: 'discriminator-value-removed',
      message: `${quote(name)} of ${next.location.title} must not be ${showValues(removed)} any more`,
      ...locations,
    });
  if (added.length > 0)
    scope.report({
      kind: 'discriminator-value-added',
      message: `${quote(name)} of ${next.location.title} may also be ${showValues(added)} now`,
      ...locations,
    });
}

interface DefaultPair {
  readonly was: Discriminator;
  readonly is: Discriminator;
  readonly title: string;
  readonly locations: { readonly old: SpecLocation; readonly new: SpecLocation };
}

/** The alternative of values without a value that is mapped (OpenAPI 3.2). */
function compareDefaults({ was, is, title, locations }: DefaultPair, scope: Scope): void {
  const nameIn = ({ sites }: Side, name: string | undefined): string =>
    name === undefined ? 'nothing' : quote(sites.api.schemas.get(name)?.originalName ?? name);
  const [old, next] = [nameIn(scope.sides.old, was.defaultMapping), nameIn(scope.sides.new, is.defaultMapping)];
  if (old === next) return;
  scope.report({
    kind: 'discriminator-changed',
    message: `${title} without a known value of ${quote(is.propertyName)} is ${next}, was ${old}`,
    ...locations,
  });
}

function findDiscriminator({
  parts,
}: EffectiveSchema): { readonly discriminator: Discriminator; readonly location: SpecLocation } | undefined {
  for (const { schema, location } of parts) {
    const { discriminator } = schema;
    if (discriminator !== undefined) return { discriminator, location: location.child('discriminator') };
  }
  return undefined;
}

/** The names of alternatives are values whether or not the mapping has them (OpenAPI 3.1.1, section 4.8.25). */
function readValues(
  { mapping }: Discriminator,
  { sites }: Side,
  without: ReadonlySet<string | undefined>,
): Set<string> {
  const nameOf = (name: string): string => sites.api.schemas.get(name)?.originalName ?? name;
  const kept = Object.entries(mapping).filter(([, name]) => !without.has(nameOf(name)));
  return new Set(kept.flatMap(([value, name]) => [value, nameOf(name)]));
}
