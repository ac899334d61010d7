import type { Discriminator } from '../../model/schema-types.js';
import type { ChangeKind } from '../change-catalog.js';
import type { SpecLocation } from '../location.js';
import { quote, showValues } from '../phrases.js';
import type { ShapePair, Side } from './scope.js';
import type { AlternativeMatch } from './match-alternatives.js';
import type { EffectiveSchema } from './effective-schema.js';

/**
 * Compares discriminators: the member, and its values but those that came or went with an alternative.
 *
 * @param matches - the changes of the alternatives beside them.
 */
export function compareDiscriminators(pair: ShapePair, matches: readonly AlternativeMatch[]): void {
  const [was, is] = [findDiscriminator(pair.old), findDiscriminator(pair.next)];
  if (was === undefined && is === undefined) return;
  const { title, scope } = pair;
  const report = (kind: ChangeKind, message: string): void => pair.report({ kind, message, was, is });
  if (was === undefined || is === undefined) {
    const name = quote((is ?? was)?.discriminator.propertyName ?? '');
    if (was !== undefined) report('discriminator-removed', `${title} is no longer discriminated by ${name}`);
    if (is !== undefined) report('discriminator-added', `${title} is now discriminated by ${name}`);
    return;
  }
  const [oldName, name] = [was.discriminator.propertyName, is.discriminator.propertyName];
  if (oldName !== name)
    report('discriminator-changed', `${title} is discriminated by ${quote(name)}, was by ${quote(oldName)}`);
  const oldDefault = showDefault(was.discriminator, scope.sides.old);
  const newDefault = showDefault(is.discriminator, scope.sides.new);
  if (oldDefault !== newDefault) {
    const message = `${title} without a known value of ${quote(name)} is ${newDefault}, was ${oldDefault}`;
    report('discriminator-changed', message);
  }
  const gone = new Set(matches.flatMap(({ removed }) => removed.map(({ site }) => site.name)));
  const come = new Set(matches.flatMap(({ added }) => added.map(({ site }) => site.name)));
  const oldValues = readValues(was.discriminator, scope.sides.old, gone);
  const values = readValues(is.discriminator, scope.sides.new, come);
  const removed = [...oldValues].filter((value) => !values.has(value));
  const added = [...values].filter((value) => !oldValues.has(value));
  if (removed.length > 0)
    report('discriminator-value-removed', `${quote(name)} of ${title} must not be ${showValues(removed)} any more`);
  if (added.length > 0)
    report('discriminator-value-added', `${quote(name)} of ${title} may also be ${showValues(added)} now`);
}

/** The alternative of values without a value that is mapped (OpenAPI 3.2). */
function showDefault({ defaultMapping }: Discriminator, side: Side): string {
  return defaultMapping === undefined ? 'nothing' : quote(writtenName(defaultMapping, side));
}

/** The name of a schema as its document spells it. */
function writtenName(name: string, { sites }: Side): string {
  return sites.api.schemas.get(name)?.originalName ?? name;
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
function readValues({ mapping }: Discriminator, side: Side, without: ReadonlySet<string | undefined>): Set<string> {
  const named = Object.entries(mapping).map(([value, name]) => [value, writtenName(name, side)] as const);
  return new Set(named.filter(([, name]) => !without.has(name)).flat());
}
