import type { Shape } from './shape.js';
import { type SharedShape, areAlike } from './shared-shapes.js';
import type { TextFacts } from './text-facts.js';

/** A schema of the draft, as it is written. */
export type DraftSchema = Readonly<Record<string, unknown>>;

/** The shared schemas that may be referred to. */
export interface PrintContext {
  readonly shared: readonly SharedShape[];
}

/** Writes the schema of a shape: it allows all values that the shape was made of. */
export function printSchema(shape: Shape, context: PrintContext): DraftSchema {
  const shared = shape.members.size === 0 ? undefined : context.shared.find((one) => isOne(shape, one));
  return shared === undefined ? printOwn(shape, context) : { $ref: `#/components/schemas/${shared.name}` };
}

function isOne(shape: Shape, { shape: other }: SharedShape): boolean {
  return areAlike(shape.members, other.members) && shape.isCoveredBy(other);
}

/** Writes the schema itself, even if it is shared. */
export function printOwn(shape: Shape, context: PrintContext): DraftSchema {
  if (shape.isOpen) return { 'x-guess': 'Values that are too deep or too many to be described.' };
  const types = typesOf(shape);
  if (types.length === 0) return {};
  const parts = [
    { type: types.length === 1 ? types[0] : types },
    shape.texts.count + shape.nulls === shape.count ? printText(shape.texts, shape.nulls > 0) : {},
    shape.items === undefined ? {} : { items: printSchema(shape.items, context) },
    shape.objects === 0 ? {} : printMembers(shape, context),
  ];
  const guesses = parts.flatMap((part) => ('x-guess' in part ? [String(part['x-guess'])] : []));
  return {
    ...Object.assign({}, ...parts),
    ...(guesses.length === 0 ? {} : { 'x-guess': guesses.join(' ') }),
  } as DraftSchema;
}

function typesOf(shape: Shape): string[] {
  const seen: readonly (readonly [string, number])[] = [
    ['object', shape.objects],
    ['array', shape.arrays],
    ['string', shape.texts.count],
    [shape.decimals > 0 ? 'number' : 'integer', shape.integers + shape.decimals],
    ['boolean', shape.booleans],
    ['null', shape.nulls],
  ];
  return seen.flatMap(([type, count]) => (count > 0 ? [type] : []));
}

/** Format or enum of a text, if enough values were seen. */
export function printText(texts: TextFacts, isNullable: boolean): DraftSchema {
  const { format, enum: values, count } = texts;
  if (values !== undefined)
    return {
      enum: isNullable ? [...values, null] : values,
      'x-guess': `The enum has all ${values.length} values of ${count} texts.`,
    };
  return format === undefined ? {} : { format, 'x-guess': `All ${count} texts have the format ${format}.` };
}

function printMembers(shape: Shape, context: PrintContext): DraftSchema {
  if (shape.others !== undefined)
    return {
      additionalProperties: printSchema(shape.others, context),
      'x-guess': 'The members have ids or many different names, so the object is a map.',
    };
  const members = [...shape.members];
  const required = members.filter(([, member]) => shape.isRequired(member)).map(([name]) => name);
  return {
    properties: Object.fromEntries(members.map(([name, member]) => [name, printSchema(member.shape, context)])),
    ...(required.length === 0
      ? {}
      : {
          required,
          'x-guess': `Required: in ${shape.objects === 1 ? 'the only object' : `all ${shape.objects} objects`}.`,
        }),
  };
}
