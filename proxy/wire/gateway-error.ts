import type { Violation } from '../../http/messages.js';

/** Makes the proxy respond instead of the server. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /**
   * 408: the client was too slow; 501: the proxy cannot forward the request; 502: the server failed; 504: the server
   * was too slow; 508: a loop; 0: the client is gone.
   */
  readonly status: 0 | 408 | 501 | 502 | 504 | 508;
  readonly violations: readonly Violation[];

  constructor(status: GatewayError['status'], message: string, violations: readonly Violation[] = []) {
    super(message);
    this.status = status;
    this.violations = violations;
  }
}
