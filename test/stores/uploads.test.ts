import { createHash, randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { startMock } from '../../entry/mock.js';
import { tempFolder } from '../support/temp-folder.js';

const KEY = { 'x-vendor-api-key': 'key' };

async function startUpload(url: string, size: number): Promise<string> {
  const response = await fetch(`${url}/upload/v1beta/files`, {
    method: 'POST',
    headers: {
      ...KEY,
      'content-type': 'application/json',
      'x-vendor-upload-protocol': 'resumable',
      'x-vendor-upload-command': 'start',
      'x-vendor-upload-header-content-length': String(size),
      'x-vendor-upload-header-content-type': 'application/octet-stream',
    },
    body: '{}',
  });
  expect(response.status).toBe(200);
  return new URL(response.headers.get('x-vendor-upload-url') ?? '').pathname;
}

async function sendPart(url: string, command: string, offset: number, bytes: Buffer): Promise<Response> {
  const headers = { ...KEY, 'x-vendor-upload-command': command, 'x-vendor-upload-offset': String(offset) };
  return fetch(url, { method: 'POST', headers, body: new Uint8Array(bytes) });
}

describe('a resumable upload', () => {
  it.each([
    ['a small file, whose bytes are kept', 30_000],
    ['a large file, of which only the hash is kept', 9 * 1_024 * 1_024],
  ])('a resumable upload continues in another process: %s', async (_name, size) => {
    const state = tempFolder();
    const bytes = randomBytes(size);
    const parts = [bytes.subarray(0, 10_000), bytes.subarray(10_000, 20_000), bytes.subarray(20_000)];
    let path = '';
    let offset = 0;
    for (const [index, part] of parts.entries()) {
      await using mock = await startMock('generation', { port: 0, state });
      if (index === 0) path = await startUpload(mock.url, size);
      const isLast = index === parts.length - 1;
      const response = await sendPart(`${mock.url}${path}`, isLast ? 'upload, finalize' : 'upload', offset, part);
      expect(response.status).toBe(200);
      offset += part.length;
      if (!isLast) continue;
      const { file } = (await response.json()) as { readonly file: { readonly sha256Hash: string } };
      expect(file.sha256Hash).toBe(createHash('sha256').update(bytes).digest('base64'));
    }
  });
});
