/** The port is already in use. */
export class PortBusyError extends Error {
  override readonly name = 'PortBusyError';
  readonly host: string;
  readonly port: number;

  constructor(host: string, port: number) {
    super(`Port ${port} of ${host} is taken by another program.`);
    this.host = host;
    this.port = port;
  }
}
