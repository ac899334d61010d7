import path from 'node:path';

import { packageRoot } from '../model/package-info.js';

/** The file that describes every extension. */
export const EXTENSIONS_FILE: string = path.join(packageRoot, 'specs', 'extensions.schema.json');

/** Returns what is wrong with the value of an extension: pointers into the value, and the rest of a sentence. */
export type ValidateExtension = (
  name: string,
  value: unknown,
) => readonly { readonly pointer: string; readonly message: string }[];

let validator: Promise<ValidateExtension> | undefined;

/** Loads the check of values against {@link EXTENSIONS_FILE}, when a document has the first described extension. */
export function loadExtensionCheck(): Promise<ValidateExtension> {
  validator ??= (async () => {
    const [{ loadApi }, { compileValidator }, { explainErrors }] = await Promise.all([
      import('../model/load-api.js'),
      import('./compile-validator.js'),
      import('./explain-errors.js'),
    ]);
    const described = await loadApi(EXTENSIONS_FILE);
    const schema = { $ref: `#/$defs/${described.rootSchema}` };
    const validate = compileValidator(described, schema, { direction: 'request' });
    return (name, value) => {
      const checked = { [name]: value };
      const errors = explainErrors(validate(checked), { api: described, schema, value: checked });
      return errors.map(({ pointer, message }) => ({ pointer: pointer.slice(name.length + 1), message }));
    };
  })();
  return validator;
}
