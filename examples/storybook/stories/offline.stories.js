import { setupWorker } from 'msw/browser';

import { listCustomersHandler, payHandler } from '../generated/shop/msw.ts';
import { customers } from './customers.js';

const worker = setupWorker();

/** The same component without a running mock: the service worker of MSW responds with the handlers of a story. */
export default {
  title: 'Offline',
  render: customers,
  async beforeEach({ parameters: { handlers } }) {
    worker.resetHandlers(...handlers);
    await worker.start({ quiet: true });
    return () => worker.stop();
  },
};

const ada = listCustomersHandler([{ id: '1', name: 'Ada Lovelace' }]);

export const MadeUp = { parameters: { handlers: [listCustomersHandler(), payHandler()] } };
export const Paid = { parameters: { handlers: [ada, payHandler()] } };
export const Declined = { parameters: { handlers: [ada, payHandler(({ respond }) => respond(402))] } };
