import { HOLDS_SCHEMA, HOLDS_SCHEMA_LIST, HOLDS_SCHEMA_MAP } from '../../model/schema-keywords.js';
import type { Schema } from '../../model/schema-types.js';
import type { SpecLocation } from '../location.js';
import { canonicalJson } from './canonical-json.js';
import type { FollowRef } from './compare-annotations.js';
import type { ObjectPart, EffectiveSchema } from './effective-schema.js';
import { type Part, isAnnotation } from './schema-location.js';
import type { Scope, Side } from './scope.js';

/** A keyword whose effect cannot be decided by comparing its values. */
interface Condition {
  readonly keyword: 'if' | 'not' | 'contains' | 'propertyNames' | 'dependentSchemas' | 'unevaluatedItems';
  /** Conditions with the same text are the same. */
  readonly text: string;
  readonly location: SpecLocation;
  /** Schemas that hold under it, by a name: where conditions are the same, these are compared. */
  readonly consequences: ReadonlyMap<string, Part>;
}

/** Compares conditions: which are new or gone, and, where a condition is the same, what follows from it. */
export function compareConditions(old: EffectiveSchema, next: EffectiveSchema, scope: Scope): void {
  const oldConditions = readConditions(old, scope.sides.old);
  const newConditions = readConditions(next, scope.sides.new);
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
    const title = `"${was.keyword}" of ${next.location.title}`;
    if (is !== undefined)
      scope.report({ kind: 'condition-changed', message: `${title} has changed`, old: was.location, new: is.location });
    else
      scope.report({
        kind: 'condition-removed',
        message: `${title} is gone`,
        old: was.location,
        new: next.location,
        anchor: 'old',
      });
  }
  for (const is of newConditions)
    scope.report({
      kind: 'condition-added',
      message: `"${is.keyword}" of ${next.location.title} is new`,
      old: old.location,
      new: is.location,
      anchor: 'new',
    });
}

function compareConsequences(was: Condition, is: Condition, scope: Scope): void {
  for (const name of new Set([...was.consequences.keys(), ...is.consequences.keys()])) {
    const before = was.consequences.get(name) ?? { schema: true, location: was.location };
    const now = is.consequences.get(name) ?? { schema: true, location: is.location };
    scope.compare([before], [now]);
  }
}

function readConditions({ parts }: EffectiveSchema, side: Side): Condition[] {
  return parts.flatMap((part) => conditionsOf(part, (ref) => side.sites.target(ref)));
}

function conditionsOf({ schema, location }: ObjectPart, follow: FollowRef): Condition[] {
  const found: Condition[] = [];
  const add = (keyword: Condition['keyword'], text: string, consequences: Record<string, Part> = {}): void =>
    void found.push({
      keyword,
      text,
      location: location.child(keyword),
      consequences: new Map(Object.entries(consequences)),
    });
  const part = (keyword: string, child: Schema | undefined): Part => ({
    schema: child ?? true,
    location: location.child(keyword),
  });
  if (schema.if !== undefined && (schema.then !== undefined || schema.else !== undefined))
    add('if', conditionText(schema.if, follow), { then: part('then', schema.then), else: part('else', schema.else) });
  if (schema.not !== undefined) add('not', conditionText(schema.not, follow));
  if (schema.contains !== undefined) add('contains', '', { it: part('contains', schema.contains) });
  if (schema.propertyNames !== undefined) add('propertyNames', '', { it: part('propertyNames', schema.propertyNames) });
  if (schema.unevaluatedItems !== undefined)
    add('unevaluatedItems', '', { it: part('unevaluatedItems', schema.unevaluatedItems) });
  for (const [name, dependent] of Object.entries(schema.dependentSchemas ?? {}))
    add('dependentSchemas', name, { it: { schema: dependent, location: location.child('dependentSchemas', name) } });
  return found;
}

/** How many references one condition may follow: it is compared as a text, and must stay one of a sensible length. */
const MAX_REFS = 200;

/** Lists whose order has no meaning. */
const SETS: ReadonlySet<string> = new Set(['required', 'enum', 'type']);

/** A schema as text, without annotations, names of schemas and order. */
function conditionText(condition: Schema, follow: FollowRef): string {
  return canonicalJson(new ConditionWriter(follow).write(condition));
}

class ConditionWriter {
  readonly #follow: FollowRef;
  readonly #open: string[] = [];
  #left = MAX_REFS;

  constructor(follow: FollowRef) {
    this.#follow = follow;
  }

  write(schema: Schema): unknown {
    if (typeof schema === 'boolean') return schema;
    const entries = Object.entries(schema).filter(([key]) => !isAnnotation(key));
    return Object.fromEntries(entries.map(([key, value]) => [key, this.#writeKeyword(key, value)]));
  }

  #writeKeyword(key: string, value: unknown): unknown {
    if (key === '$ref') return this.#writeRef(String(value));
    if (HOLDS_SCHEMA.has(key)) return this.write(value as Schema);
    if (HOLDS_SCHEMA_LIST.has(key)) return (value as readonly Schema[]).map((child) => this.write(child));
    if (SETS.has(key) && Array.isArray(value)) return value.map(canonicalJson).sort();
    if (!HOLDS_SCHEMA_MAP.has(key)) return value;
    const entries = Object.entries(value as Readonly<Record<string, Schema>>);
    return Object.fromEntries(entries.map(([name, child]) => [name, this.write(child)]));
  }

  /** A recursive schema is named by its distance from the repetition. */
  #writeRef(ref: string): unknown {
    const height = this.#open.lastIndexOf(ref);
    if (height !== -1) return this.#open.length - height;
    if (this.#left === 0) return ref;
    this.#left -= 1;
    this.#open.push(ref);
    const written = this.write(this.#follow(ref)?.schema ?? true);
    this.#open.pop();
    return written;
  }
}
