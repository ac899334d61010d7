import { defineEmitter } from 'specmill';

/** One scope of ArkType with all named schemas, which may refer to each other in any order. */
export default defineEmitter({
  name: 'arktype',
  version: 1,
  peers: { arktype: '>=2.1' },
  emit(api, { names, print, file }) {
    const out = file('arktype.ts');
    out.addImportDeclaration({ moduleSpecifier: 'arktype', namedImports: ['scope'] });
    const members = api
      .schemasInOrder()
      .map(
        ({ name, schema }) =>
          `  ${names.schema(name).type.name}: ${printSchema(api.projectSchema(schema, 'response'))},`,
      );
    out.addStatements(`export const ${names.unique('schemas')} = scope({\n${members.join('\n')}\n}).export();`);

    /** Prints a definition: a text for what a text can say, an object or a tuple for the rest. */
    function printSchema(schema) {
      if (typeof schema === 'boolean') return print.literal(schema ? 'unknown' : 'never');
      if (schema.$ref !== undefined) return print.literal(names.schema(api.refName(schema.$ref)).type.name);
      if (schema.const !== undefined) return printUnits([schema.const]);
      if (schema.enum !== undefined) return printUnits(schema.enum);
      const branches = schema.allOf ?? schema.anyOf ?? schema.oneOf;
      if (branches !== undefined)
        return join(schema.allOf === undefined ? '|' : '&', branches.map(printBranch(schema)));
      const types = [schema.type ?? (schema.properties === undefined ? [] : 'object')].flat();
      return types.length === 0
        ? "'unknown'"
        : join(
            '|',
            types.map((type) => printType(type, schema)),
          );
    }

    /** A branch says only what it adds to the type of the whole. */
    function printBranch({ type }) {
      return (branch) => printSchema(branch.$ref === undefined && type !== undefined ? { type, ...branch } : branch);
    }

    function printType(type, schema) {
      if (type === 'array') return `[${printSchema(schema.items ?? true)}, '[]']`;
      if (type === 'object') return printObject(schema);
      if (type === 'integer') return print.literal(bounded('number.integer', schema.minimum, schema.maximum));
      if (type === 'number') return print.literal(bounded('number', schema.minimum, schema.maximum));
      return print.literal(type === 'string' ? bounded('string', schema.minLength, schema.maxLength) : type);
    }

    function printObject({ properties = {}, required = [] }) {
      const members = Object.entries(properties).map(([name, member]) => {
        const key = required.includes(name) ? escape(name) : `${escape(name)}?`;
        return `${print.key(key)}: ${printSchema(member)}`;
      });
      return `{ ${members.join(', ')} }`;
    }

    function printUnits(values) {
      return `['===', ${values.map(print.literal).join(', ')}]`;
    }
  },
});

/** A key may not end like an optional one, and `[` begins an index. */
function escape(name) {
  return /[?+[\]\\=]/.test(name) ? name.replaceAll(/[?+[\]\\=]/g, (char) => `\\${char}`) : name;
}

function join(operator, [first = "'unknown'", ...rest]) {
  return rest.reduce((left, right) => `[${left}, '${operator}', ${right}]`, first);
}

function bounded(base, least, most) {
  const length = least === undefined ? base : `${base} >= ${least}`;
  return most === undefined ? length : least === undefined ? `${base} <= ${most}` : `${least} <= ${base} <= ${most}`;
}
