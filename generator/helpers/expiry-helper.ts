import { parseDuration } from '../../model/duration.js';
import type { NamedSchema } from '../../model/api.js';
import { appendPointer, splitPointer } from '../../model/document/pointer.js';
import { type NameAllocator, toStringLiteral, toValueName } from '../../model/identifiers.js';
import { printValue } from '../fixtures/print-value.js';
import { travels } from '../types/type-scope.js';
import type { HelperScope } from './helper-scope.js';
import type { ExpiresValue } from '../../model/helper-values.js';

/** The two functions of one member with an expiry time. */
export interface ExpiryView {
  readonly getName: string;
  readonly testName: string;
  /** Names the expiring thing, for the comments. */
  readonly what: string;
  /** Type of the value: only the members that are read, so that other shapes of the object are accepted too. */
  readonly type: string;
  /** The body of the function that returns the time, and of the one that tests it. */
  readonly getCode: string;
  readonly testCode: string;
}

/** The expiries that the schemas of an API declare by `x-expires`. */
export function readExpiries(scope: HelperScope, names: NameAllocator): ExpiryView[] {
  return [...scope.api.schemas.values()].flatMap((named) => {
    const { schema, source } = named;
    const properties = typeof schema === 'object' ? (schema.properties ?? {}) : {};
    return Object.entries(properties).flatMap(([member, property]) => {
      const value = typeof property === 'object' ? property['x-expires'] : undefined;
      const pointer = ['properties', member, 'x-expires'].reduce(appendPointer, source.pointer);
      if (value === undefined || !scope.isGood({ file: source.file, pointer })) return [];
      return [viewExpiry(named, { member, value: value as ExpiresValue }, { scope, names })];
    });
  });
}

interface Declared {
  readonly member: string;
  readonly value: ExpiresValue;
}

function viewExpiry(
  named: NamedSchema,
  { member, value }: Declared,
  { scope, names }: { readonly scope: HelperScope; readonly names: NameAllocator },
): ExpiryView {
  const what = value.what ?? (value.after === undefined ? '' : member);
  const base = `${named.originalName} ${what}`;
  const from = value.from === undefined ? undefined : splitPointer(value.from).at(-1);
  const rule = {
    member,
    ...(from === undefined ? {} : { from }),
    ...(value.after === undefined ? {} : { after: parseDuration(value.after)?.milliseconds ?? 0 }),
    ...(value.unit === 'milliseconds' ? { unit: 1 } : {}),
  };
  const members = [...new Set([member, from ?? member])];
  const properties = typeof named.schema === 'object' ? (named.schema.properties ?? {}) : {};
  const codec = scope.codecOf({
    properties: Object.fromEntries(members.map((name) => [name, properties[name] ?? true])),
  });
  const getName = names.take(toValueName(`${base} expires at`));
  return {
    getName,
    testName: names.take(toValueName(`is ${base} expired`)),
    what: what === '' ? `this ${named.originalName}` : `the ${what} of this ${named.originalName}`,
    type: `Pick<${typeName(named, members, scope)}, ${members.map((name) => toStringLiteral(name)).join(' | ')}>`,
    getCode: `${scope.imports.use('readExpiry')}(${codec === undefined ? 'value' : `${scope.imports.use('encodeMembers')}(value, ${codec})`}, ${printValue(rule, '  ')})`,
    testCode: `${scope.imports.use('isPast')}(${getName}(value), now)`,
  };
}

/** The variant of a schema that has the members; responses do not contain write-only members. */
function typeName({ name, inputName, schema }: NamedSchema, members: readonly string[], scope: HelperScope): string {
  const properties = typeof schema === 'object' ? (schema.properties ?? {}) : {};
  const isReceived = members.every((member) =>
    travels(properties[member] ?? true, { api: scope.api, direction: 'output', indent: '' }),
  );
  const type = isReceived ? name : (inputName ?? name);
  scope.schemaTypes.add(type);
  return type;
}
