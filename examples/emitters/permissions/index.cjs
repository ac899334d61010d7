const { defineEmitter } = require('specmill');

/** A map from each operation to the scopes that it needs: alternatives, each a map from a scheme to its scopes. */
module.exports = defineEmitter({
  name: 'permissions',
  version: 1,
  requires: ['types'],
  exports: true,
  options: {
    schemes: { type: 'array', items: { type: 'string' }, description: 'The security schemes. Default: all.' },
  },
  emit(api, { options, names, print, file, report }) {
    const wanted = options.schemes ?? [...api.securitySchemes.keys()];
    for (const scheme of wanted)
      if (!api.securitySchemes.has(scheme))
        report({ message: `The API has no security scheme ${JSON.stringify(scheme)}.`, severity: 'error' });
    const out = file('permissions.ts');
    const type = out.addInterface({ name: names.unique(`${names.api}Permission`), isExported: true });
    type.addProperty({ name: 'method', type: 'string', isReadonly: true });
    type.addProperty({ name: 'path', type: 'string', isReadonly: true });
    type.addProperty({
      name: 'anyOf',
      type: 'readonly Readonly<Record<string, readonly string[]>>[]',
      isReadonly: true,
      docs: ['Each alternative suffices. None: the operation needs no credential.'],
    });
    const rows = api.operations.map(({ name, method, path, security }) => {
      const anyOf = security.map((one) =>
        Object.fromEntries(Object.entries(one).filter(([scheme]) => wanted.includes(scheme))),
      );
      return `  ${print.key(name)}: ${print.literal({ method: method.toUpperCase(), path, anyOf })},`;
    });
    const constant = names.unique(`${names.api.charAt(0).toLowerCase()}${names.api.slice(1)}Permissions`);
    const key = `keyof ${names.import(out, { name: `${names.api}Operations`, module: './types.js' }, { type: true })}`;
    out.addStatements(
      `export const ${constant}: Readonly<Record<${key}, ${type.getName()}>> = {\n${rows.join('\n')}\n};`,
    );
  },
});
