/** A real terminal for tests: tmux runs a shell in it, keys go in, and the screen is read. */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_MS = 20 * 60_000;
const LOOK_EVERY_MS = 100;

/** Undefined when tmux is there; else why nothing that needs a terminal was run, which is printed as well. */
export function noTerminal(): string | undefined {
  if (spawnSync('tmux', ['-V'], { stdio: 'ignore' }).status === 0) return undefined;
  const why = 'not run: tmux is not installed on this machine, and a terminal is driven by it';
  process.stderr.write(`${why}\n`);
  return why;
}

export interface Terminal {
  screen: () => string;
  /** The same with its colours, as escape sequences (ECMA-48, select graphic rendition). */
  colored: () => string;
  /** Everything that was ever shown, the screen included. */
  history: () => string;
  /** Keys by tmux's names (`Enter`, `Space`, `Down`, `C-c`). */
  press: (...keys: string[]) => void;
  type: (text: string) => void;
  /** The screen as soon as it shows this. */
  until: (what: RegExp) => Promise<string>;
  [Symbol.dispose]: () => void;
}

interface Size {
  columns: number;
  rows: number;
}

export function openTerminal(
  directory: string,
  env: Record<string, string>,
  { columns, rows }: Size = { columns: 160, rows: 50 },
): Terminal {
  const socket = `svc-${randomUUID().slice(0, 8)}`;
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '' },
    });
  const variables = Object.entries({ PS1: 'ready> ', LC_ALL: 'C.UTF-8', TERM: 'screen-256color', ...env });
  const shell = ['env', '-i', ...variables.map(([name, value]) => `${name}=${value}`), '/bin/sh'];
  tmux('-u', 'new-session', '-d', '-x', String(columns), '-y', String(rows), '-c', directory, ...shell);
  tmux('set-option', '-g', 'history-limit', '20000');
  const screen = () => tmux('-u', 'capture-pane', '-p', '-t', '0');
  return {
    screen,
    colored: () => tmux('-u', 'capture-pane', '-e', '-p', '-t', '0'),
    history: () => tmux('-u', 'capture-pane', '-p', '-S', '-', '-t', '0'),
    press: (...keys) => void tmux('send-keys', '-t', '0', ...keys),
    type: (text) => void tmux('send-keys', '-t', '0', '-l', text),
    until: async (what) => {
      for (const started = Date.now(); ; await pause(LOOK_EVERY_MS)) {
        const now = screen();
        if (what.test(now)) return now;
        if (Date.now() - started > LONGEST_MS) throw new Error(`the terminal should show ${what}, got\n${now}`);
      }
    },
    [Symbol.dispose]: () => void spawnSync('tmux', ['-L', socket, 'kill-server'], { stdio: 'ignore' }),
  };
}
