import { customers } from './customers.js';

export default { title: 'Customers', render: customers };

export const All = {};
export const None = { parameters: { scenario: 'no customers' } };
export const Declined = { parameters: { scenario: 'declined' } };
