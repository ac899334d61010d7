import type { Handler, OperationTypes } from '../../server/handler-api.js';
import type { Violation } from '../../http/messages.js';

/** A request that the engine does not do. */
export class EngineRefusal extends Error {
  override readonly name = 'EngineRefusal';
  readonly status: 400 | 403 | 404 | 409;
  readonly violations: readonly Violation[];

  constructor(status: 400 | 403 | 404 | 409, message: string, ...violations: readonly Violation[]) {
    super(message);
    this.status = status;
    this.violations = violations;
  }
}

export function entityNotFound(entity: string): EngineRefusal {
  return new EngineRefusal(404, `There is no entity ${entity}.`);
}

/** A query option that cannot be read. */
export function badOption(name: string, message: string): EngineRefusal {
  return new EngineRefusal(400, `The option ${name} cannot be read: ${message}.`, {
    in: 'query',
    pointer: `/${name}`,
    message,
  });
}

/** Answers refusals as problems. */
export function refusing<Types extends OperationTypes[string]>(handle: Handler<Types>): Handler<Types> {
  return async (call) => {
    try {
      return await handle(call);
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error;
      const { status, message, violations } = error;
      return call.refuse(status, message, violations.length === 0 ? {} : { violations });
    }
  };
}
