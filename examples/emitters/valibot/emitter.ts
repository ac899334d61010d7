import { type EmitterApi, type EmitterDefinition, type Schema, type SchemaObject, defineEmitter } from 'specmill';

/** Valibot schemas of all named schemas. A schema in a cycle gets its type from `types.ts`, because it cannot be inferred. */
const valibot: EmitterDefinition<{ suffix: string }> = defineEmitter({
  name: 'valibot',
  version: 1,
  options: { suffix: { type: 'string', default: 'Schema', description: 'What the names of schemas end with.' } },
  peers: { valibot: '>=1' },
  emit(api, { options, names, print, file }) {
    const out = file('valibot.ts');
    out.addImportDeclaration({ moduleSpecifier: 'valibot', namespaceImport: 'v' });
    const nameOf = (schema: string): string => names.schema(schema).constant(options.suffix);
    const printer = { api, nameOf, literal: print.literal, key: print.key };
    out.addVariableStatements(
      api.schemasInOrder().map(({ name, schema, isCyclic }) => ({
        isExported: true,
        docs: typeof schema === 'object' && schema.description !== undefined ? [print.text(schema.description)] : [],
        declarations: [
          {
            name: nameOf(name),
            ...(isCyclic
              ? { type: `v.GenericSchema<${names.import(out, names.schema(name).type, { type: true })}>` }
              : {}),
            initializer: printSchema(api.projectSchema(schema, 'response'), { ...printer, isCyclic }),
          },
        ],
      })),
    );
  },
});

export default valibot;

interface Printer {
  readonly api: EmitterApi;
  readonly nameOf: (schema: string) => string;
  readonly literal: (value: unknown) => string;
  readonly key: (name: string) => string;
  /** Whether references may lead to a schema that is not declared yet. */
  readonly isCyclic: boolean;
}

function printSchema(schema: Schema, printer: Printer): string {
  if (schema === true) return 'v.unknown()';
  if (schema === false) return 'v.never()';
  const { api, nameOf, literal, isCyclic } = printer;
  const inside = (one: Schema): string => printSchema(one, printer);
  // A branch says only what it adds to the type of the whole.
  const branch = (one: Schema): Schema =>
    typeof one === 'object' && one.$ref === undefined && schema.type !== undefined
      ? { type: schema.type, ...one }
      : one;
  const list = (all: readonly Schema[]): string => `[${all.map((one) => inside(branch(one))).join(', ')}]`;
  if (schema.$ref !== undefined) {
    const name = nameOf(api.refName(schema.$ref));
    return isCyclic ? `v.lazy(() => ${name})` : name;
  }
  if (schema.const !== undefined) return `v.literal(${literal(schema.const)})`;
  if (schema.enum !== undefined) return `v.picklist(${literal(schema.enum)})`;
  if (schema.allOf !== undefined) return `v.intersect(${list(schema.allOf)})`;
  if (schema.anyOf !== undefined) return `v.union(${list(schema.anyOf)})`;
  if (schema.oneOf !== undefined) return `v.union(${list(schema.oneOf)})`;
  const types = [schema.type ?? []].flat().map((type) => printType(type, schema, printer));
  if (types.length === 0) return schema.properties === undefined ? 'v.unknown()' : printObject(schema, printer);
  return types.length === 1 ? String(types[0]) : `v.union([${types.join(', ')}])`;
}

function printType(type: string, schema: SchemaObject, printer: Printer): string {
  if (type === 'null') return 'v.null()';
  if (type === 'boolean') return 'v.boolean()';
  if (type === 'array')
    return pipe(`v.array(${printSchema(schema.items ?? true, printer)})`, bounds(schema, 'Items', 'Length'));
  if (type === 'object') return printObject(schema, printer);
  if (type === 'string') return pipe('v.string()', bounds(schema, 'Length', 'Length'));
  const limits = [
    ...(type === 'integer' ? ['v.integer()'] : []),
    ...(schema.minimum === undefined ? [] : [`v.minValue(${schema.minimum})`]),
    ...(schema.maximum === undefined ? [] : [`v.maxValue(${schema.maximum})`]),
  ];
  return pipe('v.number()', limits);
}

function printObject({ properties = {}, required = [], additionalProperties }: SchemaObject, printer: Printer): string {
  const members = Object.entries(properties).map(([name, member]) => {
    const value = printSchema(member, printer);
    return `${printer.key(name)}: ${required.includes(name) ? value : `v.exactOptional(${value})`}`;
  });
  const own = `{ ${members.join(', ')} }`;
  if (typeof additionalProperties !== 'object') return `v.looseObject(${own})`;
  return `v.objectWithRest(${own}, ${printSchema(additionalProperties, printer)})`;
}

function bounds(schema: SchemaObject, keyword: 'Length' | 'Items', action: string): string[] {
  const [least, most] = [schema[`min${keyword}`], schema[`max${keyword}`]];
  return [
    ...(least === undefined ? [] : [`v.min${action}(${least})`]),
    ...(most === undefined ? [] : [`v.max${action}(${most})`]),
  ];
}

function pipe(base: string, actions: readonly string[]): string {
  return actions.length === 0 ? base : `v.pipe(${[base, ...actions].join(', ')})`;
}
