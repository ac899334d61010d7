import type { Schema } from '../../model/schema-types.js';
import type { DiffPlace } from '../location.js';
import { conditionText } from './condition-text.js';
import type { Scope, Side } from './schema-pairs.js';
import type { ObjectPart, Shape } from './effective-schema.js';
import type { Part } from './schema-location.js';
import type { FollowRef } from './annotations.js';
import { stableText } from './canonical-json.js';

/** A demand that only some values meet: what it allows as a whole cannot be told by comparing keywords. */
interface Condition {
  readonly keyword:
    | 'if'
    | 'not'
    | 'contains'
    | 'propertyNames'
    | 'dependentRequired'
    | 'dependentSchemas'
    | 'unevaluatedItems';
  /** Conditions with the same text are the same. */
  readonly text: string;
  readonly place: DiffPlace;
  /** Schemas that hold under it, by a name: where conditions are the same, these are compared. */
  readonly consequences: ReadonlyMap<string, Part>;
}

/** Compares conditions: which are new or gone, and, where a condition is the same, what follows from it. */
export function compareConditions(old: Shape, next: Shape, scope: Scope): void {
  const oldConditions = readConditions(old, scope.graph.old);
  const newConditions = readConditions(next, scope.graph.new);
  if (oldConditions.length === 0 && newConditions.length === 0) return;
  const lost: Condition[] = [];
  for (const was of oldConditions) {
    const index = newConditions.findIndex(({ keyword, text }) => keyword === was.keyword && text === was.text);
    const [is] = index === -1 ? [] : newConditions.splice(index, 1);
    if (is === undefined) lost.push(was);
    else compareConsequences(was, is, scope);
  }
  for (const was of lost) {
    const index = newConditions.findIndex(({ keyword }) => keyword === was.keyword);
    const [is] = index === -1 ? [] : newConditions.splice(index, 1);
    const title = `"${was.keyword}" of ${next.place.title}`;
    if (is !== undefined)
      scope.report({ kind: 'condition-changed', message: `${title} has changed`, old: was.place, new: is.place });
    else
      scope.report({
        kind: 'condition-removed',
        message: `${title} is gone`,
        old: was.place,
        new: next.place,
        anchor: 'old',
      });
  }
  for (const is of newConditions)
    scope.report({
      kind: 'condition-added',
      message: `"${is.keyword}" of ${next.place.title} is new`,
      old: old.place,
      new: is.place,
      anchor: 'new',
    });
}

function compareConsequences(was: Condition, is: Condition, scope: Scope): void {
  for (const name of new Set([...was.consequences.keys(), ...is.consequences.keys()])) {
    const before = was.consequences.get(name) ?? { schema: true, place: was.place };
    const now = is.consequences.get(name) ?? { schema: true, place: is.place };
    scope.compare([before], [now]);
  }
}

function readConditions({ parts }: Shape, side: Side): Condition[] {
  return parts.flatMap((part) => conditionsOf(part, (ref) => side.sites.target(ref)));
}

function conditionsOf({ schema, place }: ObjectPart, follow: FollowRef): Condition[] {
  const found: Condition[] = [];
  const add = (keyword: Condition['keyword'], text: string, consequences: Record<string, Part> = {}): void =>
    void found.push({
      keyword,
      text,
      place: place.child(keyword),
      consequences: new Map(Object.entries(consequences)),
    });
  const part = (keyword: string, child: Schema | undefined): Part => ({
    schema: child ?? true,
    place: place.child(keyword),
  });
  if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined))
    add('if', conditionText(schema.if, follow), { then: part('then', schema.then), else: part('else', schema.else) });
  if (schema.not !== undefined) add('not', conditionText(schema.not, follow));
  if (schema.contains !== undefined)
    add('contains', stableText([schema.minContains, schema.maxContains]), { it: part('contains', schema.contains) });
  if (schema.propertyNames !== undefined) add('propertyNames', '', { it: part('propertyNames', schema.propertyNames) });
  if (schema.unevaluatedItems !== undefined)
    add('unevaluatedItems', '', { it: part('unevaluatedItems', schema.unevaluatedItems) });
  for (const [name, names] of Object.entries(schema.dependentRequired ?? {}))
    add('dependentRequired', stableText([name, [...names].sort()]));
  for (const [name, dependent] of Object.entries(schema.dependentSchemas ?? {}))
    add('dependentSchemas', name, { it: { schema: dependent, place: place.child('dependentSchemas', name) } });
  return found;
}
