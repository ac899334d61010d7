import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { BARE, itemsIn, openItem } from '../../resources/envelope.js';
import type { Assignment } from '../../resources/resource-finder.js';
import type { ListEnvelope, Role } from '../../resources/resource.js';
import { keywordOf } from '../../schema/facts/members.js';
import { isValidValue } from '../../schema/compile-validator.js';
import { repairValue } from '../../schema/repair-value.js';
import { idAt, itemKeyOf } from './item-key.js';
import { type Item, seedFrom } from './json-path.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';

/** An item that examples of the spec show. */
export interface ExampleItem {
  readonly key: string;
  readonly item: Item;
  /** The values of the collection's path parameters that the item has as members. */
  readonly parents: ReadonlyMap<string, string>;
}

type ExampleRole = Exclude<Role, 'createMany' | 'delete' | 'action'>;

/** Examples of later roles override earlier ones: a list shows the fewest members of an item, a read the most. */
const ORDER: readonly ExampleRole[] = ['list', 'create', 'patch', 'replace', 'read'];

/**
 * Collects the items in the examples of a spec, in the order of the document, lists first. Ignores examples that are
 * invalid or have no id.
 */
export function collectExampleItems(
  assignments: readonly Assignment[],
  api: Api,
  roles: readonly ExampleRole[] = ORDER,
): ExampleItem[] {
  const found = new Map<string, ExampleItem>();
  for (const role of ORDER.filter((one) => roles.includes(one))) {
    for (const assignment of assignments.filter(({ part }) => part.role === role)) {
      for (const item of itemsShown(assignment, api)) addExampleItem(found, item, assignment);
    }
  }
  return [...found.values()].map((one) => completeExampleItem(one, assignments, api));
}

function addExampleItem(found: Map<string, ExampleItem>, item: Item, { core }: Assignment): void {
  const key = itemKeyOf(core, item);
  if (key === undefined) return;
  const parents = new Map<string, string>();
  for (const [name, { path }] of core.parentMembers) {
    const text = idAt(item, path);
    if (text !== undefined) parents.set(name, text);
  }
  const place = stringifyExactJson([...parents, key]);
  found.set(place, { key, parents, item: { ...found.get(place)?.item, ...item } });
}

function itemsShown({ core, part }: Assignment, api: Api): Item[] {
  const { schema, examples } = part.success;
  if (schema === undefined) return [];
  const values = [
    ...examples.flatMap(({ value }) => (value === undefined ? [] : [value])),
    ...(keywordOf(schema, 'examples', api) ?? []),
  ];
  const valid = values.filter((value) => isValidValue(value, schema, api, 'response'));
  const { list } = part;
  const items =
    list !== undefined
      ? valid.flatMap((value) => itemsIn(value, list.path) ?? []).map((entry) => openEntry(list, entry))
      : valid.map((value) => openItem(part.envelope ?? BARE, value));
  return [...items, ...schemaExamples(core.schema, api)].filter(isRecord);
}

function openEntry({ entry }: ListEnvelope, value: unknown): unknown {
  return entry === undefined ? value : openItem({ path: [entry.member], isList: false }, value);
}

function schemaExamples(schema: Schema, api: Api): unknown[] {
  return (keywordOf(schema, 'examples', api) ?? []).filter((value) => isValidValue(value, schema, api, 'response'));
}

function completeExampleItem(one: ExampleItem, [first]: readonly Assignment[], api: Api): ExampleItem {
  if (first === undefined) return one;
  const item = repairValue(api, first.core.schema, one.item, seedFrom(one.key));
  return isRecord(item) ? { ...one, item } : one;
}
