import { suggestName } from '../diagnostics/closest-name.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { Place } from '../document/place.js';
import { splitPointer } from '../document/pointer.js';
import { type RawRecord, isRecord, textsIn } from '../document/records.js';
import type { SchemaPlace } from './schema-place.js';
import type { SchemaFamilies } from './schema-families.js';

/** A name of a member, and where it is given. */
export type NamedMember = readonly [name: string, place: Place];

/** The schemas that require members which they do not describe themselves. */
export class RequiredMembers {
  readonly #noted: { readonly raw: RawRecord; readonly place: SchemaPlace }[] = [];

  readonly #named: { readonly named: readonly NamedMember[]; readonly place: SchemaPlace }[] = [];

  /** Notes names of members that are given outside of the schema. */
  noteMembers(named: readonly NamedMember[], place: SchemaPlace): void {
    this.#named.push({ named, place });
  }

  note(raw: RawRecord, place: SchemaPlace): void {
    const properties = raw['properties'];
    if (typeof properties !== 'object' || properties === null) this.#noted.push({ raw, place });
    else if (textsIn(raw['required']).some((name) => !Object.hasOwn(properties, name)))
      this.#noted.push({ raw, place });
  }

  /** Reports each name that no schema of the same value describes: most often a typing error. */
  report(families: SchemaFamilies, problems: DiagnosticCollector): void {
    this.#reportNamed(families, problems);
    for (const { raw, place } of this.#noted) {
      if (isRefinement(place.pointer, isRecord(raw['properties']))) continue;
      const required = textsIn(raw['required']);
      const names = families.namesAt(place, required);
      if (names === undefined) continue;
      for (const [index, name] of required.entries())
        if (!names.has(name))
          problems.report(
            'required-unknown',
            place.child('required', index),
            `"required" has ${JSON.stringify(name)}, which is not a property here.${suggestName(name, names, JSON.stringify)}`,
          );
    }
  }

  #reportNamed(families: SchemaFamilies, problems: DiagnosticCollector): void {
    for (const { named, place } of this.#named) {
      const wanted = named.map(([name]) => name);
      const names = families.namesAt(place, wanted);
      if (names === undefined) continue;
      for (const [name, at] of named)
        if (!names.has(name))
          problems.report(
            'document-invalid',
            at,
            `The schema has no property ${JSON.stringify(name)}.${suggestName(name, names, JSON.stringify)}`,
          );
    }
  }
}

/** Keywords whose schemas state a condition, or what follows from one. */
const CONDITIONS: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);
const BRANCHES: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

/**
 * Whether a schema may require what another describes at a place that is not found by following branches: `not` and
 * `if` name what must be absent, and a member inside a branch can be described beside it.
 */
function isRefinement(pointer: string, hasProperties: boolean): boolean {
  const steps = splitPointer(pointer);
  if (steps.includes('not') || steps.includes('if')) return true;
  const last = steps.lastIndexOf('properties');
  const above = steps.slice(0, Math.max(last, 0));
  return above.some((step) => CONDITIONS.has(step) || (!hasProperties && BRANCHES.has(step)));
}
