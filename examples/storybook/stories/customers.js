export const api = import.meta.env.STORYBOOK_API ?? 'http://127.0.0.1:4377';

/** The component: a list of customers, with a button that makes a payment. */
export function customers() {
  const list = document.createElement('ul');
  const status = document.createElement('p');
  status.textContent = 'loading';
  void load(list, status);
  const root = document.createElement('section');
  root.append(list, status);
  return root;
}

async function load(list, status) {
  const found = await (await fetch(`${api}/customers`)).json();
  status.textContent = `${found.length} customers`;
  for (const { id, name } of found) {
    const button = document.createElement('button');
    button.textContent = `${name} pays`;
    button.addEventListener('click', async () => {
      const { ok } = await fetch(`${api}/customers/${id}/payments`, { method: 'POST' });
      status.textContent = ok ? 'paid' : 'declined';
    });
    list.append(button);
  }
}
