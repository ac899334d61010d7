import { defineConfig } from '@playwright/test';

const mock = 'npx specmill mock shop.yaml --data customers.yaml --port 4377 --quiet';

export default defineConfig({
  // Playwright starts the mock and the application, and waits until both serve.
  webServer: [
    { command: mock, url: 'http://127.0.0.1:4377/__specmill/health' },
    { command: 'node serve.mjs', url: 'http://127.0.0.1:4376' },
  ],
  fullyParallel: true,
  use: {
    baseURL: 'http://127.0.0.1:4376',
    // The browser of the machine; without it, Playwright's own.
    launchOptions: { executablePath: process.env.CHROMIUM },
  },
});
