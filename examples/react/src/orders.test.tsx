// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { setupServer } from 'msw/node';
import { startMock } from 'specmill/mock';
import { handlers } from 'specmill/msw';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { listOrdersHandler } from '../generated/shop/msw.js';
import { Orders } from './orders.js';

// A mock with state responds to the requests that MSW catches.
const mock = await startMock('shop', { data: 'orders.yaml' });
const server = setupServer(...handlers(mock));

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => void render(<Orders />, { wrapper: withQueries }));
afterEach(async () => {
  cleanup();
  server.resetHandlers();
  await mock.reset();
});
afterAll(async () => {
  server.close();
  await mock.close();
});

function withQueries({ children }: { readonly children: React.ReactNode }) {
  return <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>;
}

const items = (): (string | null)[] => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

test('the list shows the start data, and an order that the button adds', async () => {
  await waitFor(() => expect(items()).toEqual(['coffee']));
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(items()).toEqual(['coffee', 'tea']));
  expect((await mock.requests()).map(({ operationId }) => operationId)).toEqual([
    'listOrders',
    'createOrder',
    'listOrders',
  ]);
});

test('an order that the server refuses is an alert', async () => {
  await waitFor(() => expect(items()).toEqual(['coffee']));
  await mock.faults.put([{ operationId: 'createOrder', status: 400, body: { message: 'Sold out.' } }]);
  fireEvent.click(screen.getByRole('button'));
  expect((await screen.findByRole('alert')).textContent).toContain('400');
});

test('a handler without state takes the place of one operation', async () => {
  await waitFor(() => expect(items()).toEqual(['coffee']));
  server.use(listOrdersHandler([{ id: '7', item: 'cocoa' }]));
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(items()).toEqual(['cocoa']));
});
