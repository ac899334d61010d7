/** A valid name in GraphQL; names that start with two underscores are reserved. */
const NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;

export function isGraphqlName(text: string): boolean {
  return NAME.test(text);
}

export function lowerFirst(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

/** Types of columns, each with its scalar. */
const SCALAR_NAMES: readonly string[] = [
  ...['Byte', 'Short', 'Int', 'Long', 'Single', 'Float', 'Decimal', 'Boolean', 'String'],
  ...['DateTime', 'LocalTime', 'UUID', 'ByteArray', 'Any'],
];

/** The input type of conditions on a field of a scalar type. */
export function conditionsName(scalar: string): string {
  return `${scalar}FilterInput`;
}

/** Types that the schema has without any entity. */
export const OWN_TYPES: ReadonlySet<string> = new Set([
  ...['Query', 'Mutation', 'ID', 'OrderBy', ...SCALAR_NAMES],
  ...SCALAR_NAMES.map(conditionsName),
]);

/** The names of the types of an entity. */
export function typeNamesOf(name: string): readonly string[] {
  const suffixes = ['', 'Connection', 'FilterInput', 'OrderByInput', 'GroupBy', 'GroupByFields', 'Aggregations'];
  return [...[...suffixes, 'Field', 'NumericField'].map((suffix) => name + suffix), ...inputNames(name)];
}

export function inputNames(name: string): readonly [create: string, update: string] {
  return [`Create${name}Input`, `Update${name}Input`];
}
