/** What a sentence asks to do, and what a tool does: the verbs of operations in groups, each with what people say for them. */
import { wordsOf } from './name-words.ts';

const GROUPS: readonly RegExp[] = [
  /\b(update|change|set|modify|edit|rename|enable|disable|switch|turn|flip|adjust|raise|lower|increase|decrease|cap|hide|patch|rotate|replace|put|make|mark|new|activate|deactivate|correct)\b/,
  /\b(create|add|register|open|enter|new|order|enrol|record|invite|file|escalate|submit|(log|raise) an?)\b/,
  /\b(delete|remove|erase|drop|get rid|kill|bin)\b/,
  /\b(unblock|unlock|release|reinstate|allow|let .* in( again)?|(off|from) (the|its|their) .*(deny|block|black)|lift|free)\b/,
  /\b(block|lock|quarantine|isolate|shut|ban|separate|keep .* out|exclude)\b/,
  /\b(ack|acknowledged?|take over|as taken|mine)\b/,
  /\b(clear|resolve|off the board|tick off)\b/,
  /\b(defer|postpone|snooze|silence|put .* aside|put off|push .* (back|out|to)|reschedule|later|delay|shift|move .* (on )?to|start)\b/,
  /\b(extend|prolong|lengthen|longer|more time|up to|until|push out)\b/,
  /\b(run|start|test|launch|execute|ping|trace|begin|trigger|send)\b/,
  /\b(cancel|abort|call off|stop|withdraw|suspend|pull the plug)\b/,
  /\b(reboot|restart|power cycle|bounce)\b/,
  /\b(reauthenticate|reauth|authenticat(e|ion)|log in again|sign in again|coa)\b/,
  /\b(disconnect|kick|throw .* off|drop)\b/,
  /\b(repair|resync|push|reconcile|restore|as it should be)\b/,
  /\b(upgrade|install|put (the )?(software|release|version|firmware))\b/,
  /\b(approve|promote|apply|commit)\b/,
  /\b(classify|mark|tag|label|categori[sz]e|put .* down as)\b/,
  /\b(assign|move|attach)\b/,
];

/** The first group: an update changes whatever has a field. */
const UPDATES = 0;

/** 1: the same kind of act; −1: another; 0: the sentence has no verb that says. */
export function verbFit(text: string, name: string, description: string): number {
  const spoken = groupsIn(text.toLowerCase());
  if (spoken.size === 0) return 0;
  const words = wordsOf(name).slice(1);
  // What a run is of says what it does: "start device config resync".
  const verb = (STARTS.test(words[0] ?? '') ? words : words.slice(0, 2)).join(' ');
  const does = groupsIn(`${verb} ${description.toLowerCase().split(' ').slice(0, 2).join(' ')}`);
  // What is asked for as a pause or a limit can be a field that is updated.
  return [...does].some((group) => spoken.has(group)) ? 1 : does.size === 0 || does.has(UPDATES) ? 0 : -1;
}

const STARTS = /^(start|run|trigger|execute)$/;

/** The words that operations have for what the sentence asks to do. */
export const operationVerbs = (text: string): string[] =>
  [...groupsIn(text.toLowerCase())].map((group) => NAMES[group] ?? '').filter((name) => name !== '');

const NAMES = [
  ...['update', 'create', 'delete', 'unblock', 'block', 'acknowledge', 'clear', 'defer', 'extend', 'start', 'cancel'],
  ...['reboot', 'reauthenticate', 'disconnect', 'resync', 'upgrade', 'apply', 'classify', 'assign'],
];

const groupsIn = (text: string): Set<number> => {
  // What must not be done is not asked for.
  const said = text.replaceAll(/\bno longer\b|\b(?:do not|don[’']t|never|without|not to|instead of) \w+/g, ' ');
  return new Set(GROUPS.flatMap((pattern, i) => (pattern.test(said) ? [i] : [])));
};
