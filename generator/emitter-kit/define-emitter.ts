import type { EmitterDefinition } from './contract.js';

/** Returns an emitter unchanged; its types let editors check and complete it. */
export function defineEmitter<Options extends object = object>(
  definition: EmitterDefinition<Options>,
): EmitterDefinition<Options> {
  return definition;
}
