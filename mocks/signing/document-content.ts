import { createHash } from 'node:crypto';

/** Size in bytes and SHA-256 in lower-case hexadecimal of content in base64. */
export function describeContent(data: string): { readonly Size: number; readonly Hash: string } {
  const bytes = Buffer.from(data, 'base64');
  return { Size: bytes.length, Hash: createHash('sha256').update(bytes).digest('hex') };
}
