import { startMock } from 'specmill/mock';

const mock = await startMock('train-travel.json', { data: 'bookings.csv', scenarios: 'scenarios.yaml' });
await mock.scenarios.set(['slow']);
await mock.data.add({ bookings: [{ passenger_name: 'Alan Mathison' }] });
await mock.faults.put([{ operationId: 'get-booking', when: { path: { bookingId: 'lost' } }, status: 503 }]);
const response = await mock.fetch(`${mock.url}/bookings/lost`);
console.log(response.status, (await mock.data.get())['/bookings'].length);
await mock.close();
