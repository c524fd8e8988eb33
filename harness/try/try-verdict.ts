/** The verdict of a try in one line: terminal, page and badge take it from here. */
import { isScored, isUnread, mainScore, SENT_CHANGES, type TryResult } from './try-result.ts';

export interface Verdict {
  /** `open`: no gate failed, and that says nothing good of the server. */
  tone: 'pass' | 'fail' | 'open';
  line: string;
}

/** "pass" needs a gate that was asked for, and a scenario that was solved where scenarios were played. */
export function verdictOf(
  result: Pick<TryResult, 'gate' | 'rows' | 'scores' | 'agents' | 'oracle' | 'notApplicable'>,
): Verdict {
  const { asked, findings } = result.gate;
  if (findings.length > 0) return { tone: 'fail', line: `fail: ${findings.map(({ gate }) => gate).join(', ')}` };
  const unsolved = solvedNothing(result);
  if (asked.length === 0)
    return {
      tone: 'open',
      line: `not judged: no gate was asked with --min-success, --max-unapproved or --against${unsolved}`,
    };
  const held = asked.join(', ');
  return unsolved === '' ? { tone: 'pass', line: `pass: ${held}` } : { tone: 'open', line: `held: ${held}${unsolved}` };
}

/** Beside gates that hold: why that says nothing good of the server. */
function solvedNothing(result: Parameters<typeof verdictOf>[0]): string {
  if (result.rows.length === 0) return '';
  if (isUnread(result)) return '; the agents could not read the answers of the server';
  if (!isScored(result)) return '; the fake API took no call of the server';
  if (result.notApplicable.some(({ measure }) => measure === SENT_CHANGES))
    return '; changes that wait for a second step were not measured';
  return (mainScore(result)?.success ?? result.oracle?.solved) === 0 ? '; the server solved no scenario' : '';
}
