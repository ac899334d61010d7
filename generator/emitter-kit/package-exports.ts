import { InputError } from '../../model/diagnostics/input-error.js';
import { refName, refTo } from '../../model/schema-types.js';
import { defineEmitter } from './define-emitter.js';
import { visitSchema } from './visit-schema.js';

/** What a configuration or an emitter gets from an import of `specmill`, so that the package need not be installed there. */
export const PACKAGE_EXPORTS: Readonly<Record<string, unknown>> = {
  defineConfig: (config: unknown) => config,
  defineEmitter,
  refName,
  refTo,
  visitSchema,
  InputError,
};
