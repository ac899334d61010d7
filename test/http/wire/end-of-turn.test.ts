import { setImmediate as endOfTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { atEndOfTurn } from '../../../http/wire/end-of-turn.js';

function createStream(): { isDestroyed: boolean; destroy: () => void } {
  const stream = {
    isDestroyed: false,
    destroy: () => {
      stream.isDestroyed = true;
    },
  };
  return stream;
}

describe('messages that are written at the end of a turn', () => {
  it('messages are sent in order, after everything else of the turn', async () => {
    const order: string[] = [];
    atEndOfTurn(createStream(), () => order.push('first'));
    atEndOfTurn(createStream(), () => order.push('second'));
    await Promise.resolve();
    order.push('rest of the turn');
    await endOfTurn();
    expect(order).toEqual(['rest of the turn', 'first', 'second']);
  });

  it('a message that cannot be written ends its own connection and no other', async () => {
    const [broken, whole] = [createStream(), createStream()];
    let isWritten = false;
    atEndOfTurn(broken, () => {
      throw new TypeError('Invalid character in header content');
    });
    atEndOfTurn(whole, () => {
      isWritten = true;
    });
    await endOfTurn();
    expect({ broken: broken.isDestroyed, whole: whole.isDestroyed, isWritten }).toEqual({
      broken: true,
      whole: false,
      isWritten: true,
    });
  });
});
