/** The verdict of a try in one line: terminal, page and badge take it from here. */
import { isUnreached, mainScore, type TryResult } from './try-result.ts';

export interface Verdict {
  /** `open`: no gate failed, and that says nothing good of the server. */
  tone: 'pass' | 'fail' | 'open';
  line: string;
}

/** "pass" needs a gate that was asked for, and a scenario that was solved where scenarios were played. */
export function verdictOf(result: Pick<TryResult, 'gate' | 'rows' | 'scores' | 'agents' | 'oracle'>): Verdict {
  const { asked, findings } = result.gate;
  if (findings.length > 0) return { tone: 'fail', line: `fail: ${findings.map(({ gate }) => gate).join(', ')}` };
  const unsolved = solvedNothing(result) ? '; the server solved no scenario' : '';
  if (asked.length === 0)
    return {
      tone: 'open',
      line: `not judged: no gate was asked with --min-success, --max-unapproved or --against${unsolved}`,
    };
  const held = asked.join(', ');
  return unsolved === '' ? { tone: 'pass', line: `pass: ${held}` } : { tone: 'open', line: `held: ${held}${unsolved}` };
}

function solvedNothing({ rows, scores, agents, oracle }: Parameters<typeof verdictOf>[0]): boolean {
  if (rows.length === 0) return false;
  return isUnreached(rows) || (mainScore({ scores, agents })?.success ?? oracle?.solved) === 0;
}
