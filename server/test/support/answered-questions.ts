/** Answers the questions of the setup at a real terminal: what is typed is found by what a question says; any other gets Enter. */
import type { Terminal } from './pseudo-terminal.ts';

/** A text, or so many lines up or down a list. */
type Typed = string | { up: number } | { down: number };

const PAUSE_MS = 300;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The questions that were answered with more than Enter, in the order in which they came. */
export async function answeredQuestions(
  terminal: Terminal,
  answers: Readonly<Record<string, Typed>>,
): Promise<string[]> {
  const given: string[] = [];
  for (let answered = ''; ; ) {
    const screen = await terminal.until(/◆|Next, in/);
    if (/Next, in/.test(screen)) return given;
    const question = screen.slice(screen.lastIndexOf('◆')).split('\n')[0] ?? '';
    if (question === answered) {
      await pause(100);
      continue;
    }
    answered = question;
    const answer = Object.entries(answers).find(([asked]) => question.includes(asked));
    if (answer !== undefined) {
      const [asked, typed] = answer;
      given.push(asked);
      if (typeof typed === 'string') terminal.type(typed);
      else if ('up' in typed) terminal.press(...Array<string>(typed.up).fill('Up'));
      else terminal.press(...Array<string>(typed.down).fill('Down'));
      await pause(PAUSE_MS);
    }
    terminal.press('Enter');
  }
}
