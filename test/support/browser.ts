import { existsSync } from 'node:fs';

import { type Browser, type Page, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine: CHROMIUM, or Debian's. */
export const browserPath: string | undefined = process.env['CHROMIUM'] ?? PLACES.find((place) => existsSync(place));

/** Tests that need a browser run where there is one, and always in CI. */
export const hasBrowser: boolean = browserPath !== undefined || process.env['CI'] !== undefined;

/** Starts a browser that asks no other host. */
export function launchBrowser(...more: readonly string[]): Promise<Browser> {
  if (browserPath === undefined) throw new Error('There is no browser: install Debian\'s "chromium" or set CHROMIUM.');
  return chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

/** What a page did that it must not do: scripts that failed, and requests to other hosts. */
export function watchPage(page: Page, origin: string): string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
      found.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return found;
}
