import { expect, test as base } from '@playwright/test';
import { connectMock } from 'specmill/mock';

// Each test has a sandbox of its own: what one test changes, no other test sees.
const test = base.extend({
  mock: async ({}, use, { testId }) => use(connectMock('http://127.0.0.1:4377', { sandbox: testId })),
  extraHTTPHeaders: async ({}, use, { testId }) => use({ 'x-specmill-sandbox': testId }),
});

test.beforeEach(({ page }) => page.goto('/'));

test('a customer pays', async ({ page, mock }) => {
  await page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await expect(page.getByRole('status')).toHaveText('paid');
  expect((await mock.requests()).map(({ operationId }) => operationId)).toEqual(['listCustomers', 'pay']);
});

test('a payment is declined for one customer', async ({ page, mock }) => {
  await mock.faults.put([{ operationId: 'pay', when: { path: { id: 'cus_2' } }, status: 402 }]);
  await page.getByRole('button', { name: 'Alan Turing' }).click();
  await expect(page.getByRole('status')).toHaveText('declined');
});

test('a test adds customers of its own', async ({ page, mock }) => {
  await mock.data.add({ '/customers': [{ id: 'cus_3', name: 'Grace Hopper' }] });
  await page.reload();
  await expect(page.getByRole('button')).toHaveText(['Ada Lovelace', 'Alan Turing', 'Grace Hopper']);
});
