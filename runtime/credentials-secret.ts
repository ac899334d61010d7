/** A secret, or a function that gives it: it is asked before every call, so it can renew what has expired. */
export type Secret = string | (() => string | Promise<string>);

/** The secret itself. */
export async function readSecret(secret: Secret): Promise<string> {
  return typeof secret === 'function' ? secret() : secret;
}
