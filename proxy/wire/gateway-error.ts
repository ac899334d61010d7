import type { Violation } from '../../http/messages.js';

/** A response that the proxy itself makes instead of the server. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /** 408 the client took too long, 501 what the proxy cannot pass on, 502 the server failed, 504 it took too long, 508 a loop; 0 the client is gone. */
  readonly status: 0 | 408 | 501 | 502 | 504 | 508;
  readonly violations: readonly Violation[];

  constructor(status: GatewayError['status'], message: string, violations: readonly Violation[] = []) {
    super(message);
    this.status = status;
    this.violations = violations;
  }
}
