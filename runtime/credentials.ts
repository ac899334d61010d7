import type { Call, ClientContext, OperationData } from './context.js';
import {
  type CredentialSource,
  type CredentialWriter,
  ownWriter,
  type RequestTarget,
  type Writers,
} from './serialize.js';

/** Sends the first alternative for which all credentials are given. */
export async function writeCredentials({ context, operation }: Call, target: RequestTarget): Promise<void> {
  for (const [name, write] of Object.entries(chooseSchemes(operation, context) ?? {})) {
    const credential = ownWriter(context.credentials as Writers<unknown>, name);
    write((isSource(credential) ? await credential({ reason: 'call' }) : credential) as never, target);
  }
}

/** Whether a credential is a function that returns it. */
export function isSource(credential: unknown): credential is CredentialSource<unknown> {
  return typeof credential === 'function';
}

/** Returns the first alternative for which all credentials are given: its security schemes and their writers. */
export function chooseSchemes(
  { security }: OperationData,
  { credentials }: ClientContext,
): Readonly<Record<string, CredentialWriter<never>>> | undefined {
  return security?.find((schemes) =>
    Object.keys(schemes).every((name) => ownWriter(credentials as Writers<unknown>, name) != null),
  );
}
