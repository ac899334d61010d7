/** Creates and queries items with Apollo Client. Usage: node apollo.mjs http://localhost:4013 */
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client/core/index.js';

const link = new HttpLink({ uri: `${process.argv[2]}/graphql` });
const client = new ApolloClient({ link, cache: new InMemoryCache() });
const mutation = gql`
  mutation {
    createBook(item: { id: 1, title: "Harbours" }) {
      id
      title
    }
  }
`;
await client.mutate({ mutation });
const query = gql`
  query {
    books(filter: { title: { startsWith: "Har" } }) {
      items {
        title
      }
    }
  }
`;
const { data } = await client.query({ query });
console.log(`books: ${data.books.items.map(({ title }) => title).join(', ')}`);
