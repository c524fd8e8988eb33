import { describe, expect, test } from 'vitest';
import { startProgress } from './progress.ts';

function watched(isTTY: boolean, total: number, done = 0) {
  let [text, time] = ['', 0];
  const stream = {
    isTTY,
    columns: 60,
    write: (part: string) => {
      text += part;
      return true;
    },
  };
  const progress = startProgress(total, stream as never, { done, now: () => time });
  return {
    progress,
    at: (ms: number) => {
      time = ms;
    },
    text: () => text,
  };
}

describe('progress', () => {
  test('off a terminal is plain lines, a few of them, without a single escape', () => {
    const { progress, at, text } = watched(false, 80);
    progress.note('ready');
    for (let i = 1; i <= 80; i++) {
      at(i * 100);
      progress.step(i === 3);
    }
    progress.end();
    const lines = text().trimEnd().split('\n');
    expect(lines).toHaveLength(9);
    expect(lines[1]).toBe('10/80 runs, 1 red, 1.0 s elapsed, ETA 7.0 s');
    expect(lines.at(-1)).toBe('80/80 runs, 1 red, 8.0 s elapsed, ETA 0.0 s');
    expect(text()).not.toContain('\u001b');
    expect(text()).not.toContain('\r');
  });

  test('on a terminal is one line that moves and is gone at the end', () => {
    const { progress, at, text } = watched(true, 2);
    at(1_000);
    progress.step(false);
    progress.end();
    expect(text()).toBe('\r\u001b[2K1/2 runs, 0 red, 1.0 s elapsed, ETA 1.0 s\r\u001b[2K');
  });

  test('counts stored runs as done, and not in the pace', () => {
    const { progress, at, text } = watched(true, 10, 8);
    at(3_000);
    progress.step(false);
    expect(text()).toContain('9/10 runs, 0 red, 3.0 s elapsed, ETA 3.0 s');
  });
});
