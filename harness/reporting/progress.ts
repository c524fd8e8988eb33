/**
 * Progress while a campaign runs: one moving line on a terminal, a plain line now and then elsewhere. It goes to
 * standard error, so that standard output holds the result alone.
 */
import type { WriteStream } from 'node:tty';

export interface Progress {
  step: (failed: boolean) => void;
  note: (text: string) => void;
  end: () => void;
}

export type ProgressStream = Pick<WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

export function startProgress(
  total: number,
  stream: ProgressStream,
  { done: before = 0, now = () => performance.now() }: { done?: number; now?: () => number } = {},
): Progress {
  const started = now();
  const live = stream.isTTY === true;
  let done = before;
  let failed = 0;
  let lastPlain = before;
  const line = () => {
    const elapsed = now() - started;
    const made = done - before;
    const eta = made === 0 ? '?' : seconds((elapsed / made) * (total - done));
    return `${done}/${total} runs, ${failed} red, ${seconds(elapsed)} elapsed, ETA ${eta}`;
  };
  const draw = () => stream.write(`\r\u001b[2K${line().slice(0, (stream.columns ?? 80) - 1)}`);
  return {
    step: (wasFailed) => {
      done++;
      if (wasFailed) failed++;
      if (live) draw();
      else if (done === total || done - lastPlain >= Math.max(1, Math.ceil(total / 8))) {
        lastPlain = done;
        stream.write(`${line()}\n`);
      }
    },
    note: (text) => {
      if (live) stream.write(`\r\u001b[2K${text}\n`);
      else stream.write(`${text}\n`);
      if (live && done > 0) draw();
    },
    end: () => {
      if (live) stream.write('\r\u001b[2K');
    },
  };
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 9_950 ? 1 : 0)} s`;
