import { InputError } from '../model/diagnostics/input-error.js';

/** Adds the flag that selects another port to the error for a port in use. */
export function explainBusyPort(error: unknown): never {
  if (error instanceof Error && error.name === 'PortBusyError')
    throw new InputError(`${error.message} Choose another with --port.`);
  throw error;
}
