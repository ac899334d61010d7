import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { createOrderMutation, listOrdersOptions, shopKeys } from '../generated/shop/query.js';

const context = { baseUrl: 'https://shop.example.com' };

/** The orders, and a button that adds one. What the button changed is read again. */
export function Orders() {
  const client = useQueryClient();
  const orders = useQuery(listOrdersOptions(context));
  const create = useMutation({
    ...createOrderMutation(context),
    onSuccess: () => client.invalidateQueries({ queryKey: shopKeys.tag('orders') }),
  });
  const error = orders.error ?? create.error;
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      <ul>
        {orders.data?.map((order) => (
          <li key={order.id}>{order.item}</li>
        ))}
      </ul>
      <button onClick={() => create.mutate({ body: { item: 'tea' } })}>Order tea</button>
    </>
  );
}
