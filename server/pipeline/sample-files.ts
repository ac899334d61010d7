import { mediaTypeEssence } from '../../runtime/media-type.js';

/** The smallest files of their kinds, in base64: one grey pixel, eight samples of silence, an archive without entries. */
const FILES: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mNoaGgAAAMEAYF1LgG8AAAAAElFTkSuQmCC',
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'image/jpeg':
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'image/webp': 'UklGRiIAAABXRUJQVlA4TAYAAAAvAAAAAAfQ//73v/+BiOh/AAA=',
  'audio/wav': 'UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==',
  'application/zip': 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
  'application/gzip': 'H4sIAAAAAAAC/wMAAAAAAAAAAAA=',
};

const ALIASES: Readonly<Record<string, string>> = {
  'image/*': 'image/png',
  'image/jpg': 'image/jpeg',
  'audio/*': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'application/x-zip-compressed': 'application/zip',
  'application/x-gzip': 'application/gzip',
};

const PDF = [
  '%PDF-1.4',
  '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj',
  'trailer<</Root 1 0 R>>',
  '%%EOF',
  '',
].join('\n');

export interface SampleFile {
  /** Without a range: `image/png` for `image/*`. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A file that programs can open, if a media type has one here. */
export function sampleFile(mediaType: string): SampleFile | undefined {
  const essence = mediaTypeEssence(mediaType);
  if (essence === 'application/pdf') return { mediaType, bytes: Buffer.from(PDF) };
  const kind = ALIASES[essence] ?? essence;
  const file = Object.hasOwn(FILES, kind) ? FILES[kind] : undefined;
  if (file === undefined) return undefined;
  return { mediaType: essence.includes('*') ? kind : mediaType, bytes: Buffer.from(file, 'base64') };
}
