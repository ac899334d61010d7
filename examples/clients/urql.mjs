/** Creates and queries items with urql. Usage: node urql.mjs http://localhost:4013 */
import { Client, fetchExchange } from '@urql/core';

const client = new Client({ url: `${process.argv[2]}/graphql`, exchanges: [fetchExchange] });
await client.mutation('mutation { createBook(item: { id: 2, title: "Winds" }) { id } }', {}).toPromise();
const { data, error } = await client.query('{ book_by_pk(id: 2) { title } }', {}).toPromise();
console.log(`book: ${error?.message ?? data.book_by_pk.title}`);
