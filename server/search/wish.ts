/** What a sentence wants done, read from its verbs and its form. */
import { isWriting, type Wish } from './verb.ts';

const WISHES: readonly [RegExp, Wish][] = [
  [/\b(how many|count|number of)\b/, 'count'],
  [
    /\b(result|outcome|output) of\b|\bpoll\b|\b(result|output) (for|from)\b|\bcame out\b|\bhow did\b|\bdone yet\b/,
    'result',
  ],
  [/\b(trends?|over time|time series|curve|(over|for|in) the (last|past) \w* ?(hours?|days?|weeks?|months?))\b/, 'trend'],
  [/\b(top \d*|busiest|heaviest|highest|hungriest|worst)\b/, 'top'],
  [/\b(start|run|trigger|launch|initiate|kick off|ping|traceroute|trace|test|simulate|validate|measure)\b/, 'start'],
  [
    /\b(delete|remove|drop|get rid of|retire|decommission|take (\w+ ){0,4}(away|down)|unassign|throw (\w+ ){0,3}out|kill|terminate|revoke|wipe|erase|clean up|unsubscribe|cancel)\b/,
    'delete',
  ],
  [/\b(create|add|new|make (a|an|me)|define|set up|introduce|provision|assign|register|reserve|book|upload|insert|open a)\b/, 'create'],
  [/\b(replace|overwrite)\b/, 'replace'],
  [
    /\b(change|update|modify|edit|rename|set|switch|adjust|move|raise|lower|increase|decrease|rotate|extend|enable|disable|turn (on|off)|make sure|make|correct|fix|mark|put)\b/,
    'update',
  ],
  [
    /\b(reboot|restart|disconnect|kick|drain|reset|blink|locate|acknowledge|upgrade|clear|bounce|approve|reject|restore|apply|lock|unlock|release|lift|send|push|deploy)\b/,
    'action',
  ],
  [/\b(search|look for|find)\b/, 'search'],
  [/\b(list|all|every|which|enumerate)\b/, 'list'],
  [/\b(show|display)\b/, 'read'],
  [/\b(get|read|view|details?|describe|what is|look up|fetch)\b/, 'get'],
];

const ASKS =
  /^\W*(and |so |but |now |then |also |quick question:? )*(what|which|how|why|is|are|does|do|did|who|whom|whose|when|where|has|have|had|was|were|will|would|isn|aren|doesn|can (i|we) (see|check|find)|from (which|where|what|how)|behind which|in which|at which|on which)\b|\?\s*$/;
const SHOWS = /^\W*(please |pls |then |and )*(show|list|tell me|find out|check|look|display|give me|get|see)\b/;
const OPEN_QUESTION = /^\W*(what|which|how|why|who|when|where|is|are|does|do|did|has|have|was|were)\b/;
const ORDER =
  /\b(create|add|delete|remove|change|update|set|replace|reboot|restart|disconnect|disable|enable|rotate|rename|assign|upgrade|put|make|take|throw|kick|turn)\b/;

export function wishOf(sentence: string): { wish: Wish; question: boolean } {
  const text = sentence.toLowerCase();
  const question =
    (ASKS.test(text) || SHOWS.test(text)) && !(ORDER.test(text) && !OPEN_QUESTION.test(text) && !SHOWS.test(text));
  const wish = WISHES.find(([pattern]) => pattern.test(text))?.[1];
  if (question && (wish === undefined || isWriting(wish))) return { wish: 'read', question };
  return { wish, question };
}

const POLITE = /\b(please|pls|plz|kindly|can you|could you|would you|i need|we need|i want|we want|i'd like|i would like|we'd like|must|should|let (me|us)|help me)\b/;
const VERB_FIRST =
  /^\W*(please |pls |then |and |so |first |now )*(list|show|get|find|check|look|create|add|delete|remove|change|update|set|replace|reboot|restart|disconnect|disable|enable|rotate|rename|assign|upgrade|put|make|take|throw|kick|turn|give|send|move|bring|let|open|close|block|allow|stop|start|run|test|try|push|pull|compare|tell|export|search|count|mark|cut|write|record|fetch|hand|cancel|approve|lift|reopen|clear)\b/;

/** How surely a sentence carries the wish of the text it stands in. */
export function urgencyOf(sentence: string): number {
  const text = sentence.toLowerCase();
  return (
    (/\?\s*$/.test(text) ? 2 : 0) +
    (POLITE.test(text) ? 2 : 0) +
    (VERB_FIRST.test(text) ? 1.5 : 0) +
    (OPEN_QUESTION.test(text) ? 0.5 : 0)
  );
}
