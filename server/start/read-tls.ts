import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

import { InputError, systemReason } from '../../model/diagnostics/input-error.js';
import type { TlsFiles } from '../transport/http-server.js';

/**
 * Reads a certificate and its key.
 *
 * @returns `undefined` if neither is given.
 * @throws InputError if one of them is missing, cannot be read or is not in PEM, or the key is that of another certificate.
 */
export async function readTls(
  certFile: string | undefined,
  keyFile: string | undefined,
): Promise<TlsFiles | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (keyFile === undefined) throw new InputError('The option tls-cert needs the key as well: add tls-key.');
  if (certFile === undefined) throw new InputError('The option tls-key needs the certificate as well: add tls-cert.');
  const cert = await readPem(certFile, 'The certificate');
  const key = await readPem(keyFile, 'The key');
  check({ cert }, certFile, 'The certificate cannot be used');
  check({ key }, keyFile, 'The key cannot be used');
  check({ cert, key }, keyFile, `The key does not belong to the certificate ${certFile}`);
  return { cert, key };
}

async function readPem(file: string, subject: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new InputError(`${subject} cannot be read: ${systemReason(error)}.`, { file }, { cause: error });
  });
  if (!text.includes('-----BEGIN ')) throw new InputError(`${subject} is not in PEM.`, { file });
  return text;
}

/** @throws InputError with the reason of OpenSSL. */
function check(files: Partial<TlsFiles>, file: string, sentence: string): void {
  try {
    createSecureContext(files);
  } catch (error) {
    const { reason } = error as { readonly reason?: string };
    throw new InputError(`${sentence}${reason === undefined ? '' : `: ${reason}`}.`, { file }, { cause: error });
  }
}
