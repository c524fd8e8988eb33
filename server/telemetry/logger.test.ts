import { expect, it } from 'vitest';
import { createLogger, linesTo } from './logger.ts';

it('counts the lines that a full disk did not take, and says so when it takes lines again', async () => {
  let isFull = false;
  const taken: string[] = [];
  const disk = {
    write: (line: string, done: (error?: Error) => void) => {
      if (!isFull) taken.push(line);
      setImmediate(done, isFull ? new Error('ENOSPC') : undefined);
    },
  };
  const logger = createLogger('info', linesTo(disk));
  const say = async (event: string) => {
    logger.info(event);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  };
  await say('first');
  isFull = true;
  await say('second');
  await say('third');
  isFull = false;
  await say('fourth');
  await say('fifth');
  const events = taken.map((line) => JSON.parse(line) as { event: string; lines?: number });
  expect(events.map(({ event }) => event)).toEqual(['first', 'fourth', 'log.lost', 'fifth']);
  expect(events[2]?.lines).toBe(2);
});
