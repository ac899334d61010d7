/** Where in the input a problem is. */
export interface InputPlace {
  /** Absolute path or URL. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly column?: number;
  /** JSON pointer (RFC 6901) into the file. */
  readonly pointer?: string;
}

/**
 * A problem that the user can fix: a bad configuration, an unreadable file, a path that is taken. The message is one
 * plain sentence, because the user sees nothing else.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly place: InputPlace;

  constructor(message: string, place: InputPlace = {}, options: ErrorOptions = {}) {
    super(message, options);
    this.place = place;
  }
}

/** Describes why a file system operation failed: `there is no such file`. */
export function systemReason(error: unknown): string {
  const code = systemCode(error);
  return (code === undefined ? undefined : SYSTEM_REASONS[code]) ?? code ?? String(error);
}

/** The code of a system error, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOSPC: 'the disk is full',
  EEXIST: 'something is there already',
};
