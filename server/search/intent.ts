/** The requested action of a sentence, from its main verb and its form. */
import { type Intent, isWriting } from './operation-kind.ts';
import { stem } from './stem.ts';

const BY_WORD = new Map<string, Intent>();
const say = (intent: Intent, words: string) => {
  for (const word of words.split(' ')) BY_WORD.set(word, intent);
};
say(
  'delete',
  'delete remove drop erase wipe kill revoke terminate decommission retire unassign unsubscribe destroy purge discard uninstall detach',
);
say('delete', 'cancel clear');
say(
  'create',
  'create add make define introduce provision register reserve book upload insert generate invite hire buy order submit post',
);
say('create', 'write compose publish attach');
say('replace', 'replace overwrite');
say(
  'update',
  'change update modify edit rename set adjust move raise lower increase decrease rotate extend enable disable correct fix mark put turn',
);
say('update', 'give assign allow block switch configure alter customize convert');
say(
  'action',
  'reboot restart disconnect kick drain reset blink flash locate acknowledge upgrade bounce approve reject restore apply lock unlock release',
);
say(
  'action',
  'lift send push deploy throw cut bring let open close reopen claim swap bar ban isolate quarantine commit roll stop pause resume take',
);
say('action', 'play share pay transfer');
say(
  'start',
  'start run trigger launch initiate ping traceroute trace test simulate validate measure try capture record diagnose',
);
say('search', 'search find seek locate discover');
say('list', 'list enumerate');
say(
  'read',
  'get show display tell compare diff see fetch check look browse verify determine monitor track identify confirm inspect review ensure know access query observe',
);
say('get', 'read view describe retrieve lookup obtain export download calculate compute convert translate');
say('count', 'count');

/** Does it say by itself what is wanted, or that it is a change? */
export const isVerbOfIntent = (word: string): boolean => BY_WORD.has(word);
export const isVerbOfChange = (word: string): boolean => isWriting(BY_WORD.get(word));

/** Words that may precede the verb of an intent. */
const LEAD = new Set(
  'please pls plz kindly can could would you i we to and then now so just also must should shall need want like have first next finally hi hello me us help let lets go ahead'.split(
    ' ',
  ),
);
/** After these a verb is a verb, wherever they stand. */
const MARKER = new Set('please pls plz to then must should you lets and'.split(' '));

const COUNTS = /\b(how many|number of|count of)\b/;
const RESULTS = /\b(results?|outcome|output) (of|for|from)\b|\bcame out\b|\bhow did\b|\bdone yet\b|\bpoll\b/;
const TRENDS =
  /\b(trends?|over time|time series|curve|historical|(over|for|in|of) the (last|past) (\w+ )?(hours?|days?|weeks?|months?|year))\b/;
const TOPS = /\b(top (\d+|ten|five)|busiest|heaviest|highest|hungriest|worst|biggest|the most|most \w+)\b/;
const REFERENCES = /\b(uses|used (by|in|at|anywhere)|used\?|references?|depends? on|refers? to|leans? on)\b/;
const HISTORY = /\b(revisions?|history|who changed|earlier versions?|what was it before)\b/;

const ASKS =
  /^\W*(and |so |but |now |then |also |or |if not |quick question:? )*(what|which|how|why|is|are|does|do|did|who|whom|whose|when|where|has|have|had|was|were|will|would|isn|aren|doesn|any|anybody|anyone|(can|could|may) (i|we) (see|check|find|know)|(from|behind|in|at|on|for|to|by|since) (which|where|what|how|when|whom))\b|\?\W*$/;
const OPEN_QUESTION =
  /^\W*(and |so |but |now |then |also )*(what|which|how|why|who|whose|when|where|is|are|does|do|did|has|have|was|were|any|(from|behind|in|at|on|for|by) (which|what|where|how))\b/;

/** The request follows the name of the person who asks, or the reason. */
const ASKS_LATER: readonly RegExp[] = [
  // `the board wants to know which …`
  /\b(?:wants?|wanted|needs?|like|love|asks?|asked|asking|wonders?|wondering|curious) (?:to (?:know|see|hear|learn|find out|understand) )?(?:which|what|who|whose|how|whether|if|when|where|why)\b/,
  // `I must know every …`, `we would like an overview of …`
  /\b(?:must|needs? to|ha(?:ve|s) to|wants? to|like to|going to) (?:know|see|find out|understand|learn|hear)\b/,
  /\b(?:needs?|wants?|like) (?:an?|the|all|every) (?:overview|list|table)\b/,
  // `we replace the switch tonight, which phones hang on it`, but not `remove the older one, which is empty`
  /, (?:and |so |but )?(?:(?:to |from |by |on |in |at |behind |for |with )?(?:what|whom?|how)|(?:to|from|by|on|in|at|behind|for|with) which|which (?!is|are|was|were|has|have|must|still|only|then|just)|is|are|does|did|has|have|was|were)\b/,
  // `can I throw it away`
  /^\W*(?:and |so |but )?(?:can|may|could|should|shall) i\b/,
];
/** Words that may follow the verb of an imperative. */
const OBJECT = '(?:the|an?|all|this|that|these|those|my|our|your|it|them|us|its|their|his|her|him|one)';
const ORDER = new RegExp(`^\\W*(?:(?:please|pls|can you|could you) )?([a-z]+) ${OBJECT}\\b`);
/** `the port is free now, please release it` */
const ORDER_AT_LAST = new RegExp(`[,;:] (?:(?:and|so|but|then|now|just|please|pls) )*([a-z]+) ${OBJECT}\\b`);

/** Not where the sentence begins with an order: `change the name, the auditor asked why it is so long`. */
function asksLater(text: string): boolean {
  return ASKS_LATER.some((pattern) => pattern.test(text)) && !isWriting(BY_WORD.get(ORDER.exec(text)?.[1] ?? ''));
}

/** What an order only seems to begin with. */
const NO_ORDER = new Set(
  (
    'for since after before in on at by of from to with under during if only just all everything can could not both is what which who and or but as than ' +
    'because while when so over behind are was has have do does without via into like until where that it they we he she see list find'
  ).split(' '),
);

/** `snooze the alarm`: a deed by its form, though of a verb that nobody foresaw; `routes that the box learned` is none. */
function orders(text: string): boolean {
  return [ORDER, ORDER_AT_LAST].some((form) => {
    const verb = form.exec(text)?.[1];
    return verb !== undefined && !NO_ORDER.has(verb) && !/[^s]s$/.test(verb);
  });
}

/** Questions that ask how, or whether it can be done: what follows is the request itself. */
const LEADS_IN = `^\\W*(?:(?:and|so|but|now|then|also|hi|hello|hey|please|ok|okay|quick question)[,:]? )*`;
const WAY =
  '(?:ways?|process|method|procedure|steps?|approach|option|possibility|means|mechanism|command|call|endpoint|api|operation|function|tool|service)';
const ADVERB = '(?:(?:also|then|just|quickly|easily|simply|best|only|actually|now|safely|[a-z]+ally|[a-z]+ely) )*';
const WHO = '(?:i|we|one|you|someone|anyone|somebody|users?|people)';
const REQUESTS: readonly RegExp[] = [
  `how (?:can|do|could|would|should|might|may|must|does|did) ${WHO} (?:go about )?${ADVERB}`,
  `how to ${ADVERB}`,
  `(?:can|could|may|might|shall|should|must) (?:i|we|one) ${ADVERB}`,
  `(?:is|was|would) it (?:be )?(?:possible|feasible|allowed|permitted)(?: for (?:me|us|[a-z]+))? to ${ADVERB}`,
  `(?:is|are) there (?:an?|any|some)?(?: [a-z]+){0,2} ?${WAY}(?: for (?:me|us))? (?:to|of|for|that (?:can|could|lets me|allows me to)) ${ADVERB}`,
  `(?:what|which)(?:'s| is| are| would be)? (?:the )?(?:[a-z]+ ){0,2}${WAY} (?:to|for|of|that|(?:can|should|could|do|must) i (?:use|call|need|follow)(?: to| for)?|(?:is|are) (?:used|needed|required) (?:to|for)|i (?:can|should|need to) (?:use|follow|call) (?:to|for)) ${ADVERB}`,
  `(?:do|does|can) (?:you|it|the (?:[a-z]+ )?api|this)(?: (?:let|allow|help|enable|support)s?) (?:me|us)(?: to)? ${ADVERB}`,
  `what (?:do i|should i|must i|do we|should we) (?:need to )?do to ${ADVERB}`,
].map((pattern) => new RegExp(`${LEADS_IN}${pattern}([a-z]+)`));
/** A side condition names the operation, where the verb before it does not: `can I give a reason when cancelling the order`. */
const WHILE = /\b(?:when|while|whilst|during|before|after|by|for|on) ([a-z]+ing)\b/;

const NO_DEED = new Set(
  'be have do use utilize leverage go work paginate sort filter exclude include handle deal learn understand expect'.split(
    ' ',
  ),
);
const BY_STEM = new Map([...BY_WORD].map(([word, intent]) => [stem(word), intent]));

/** Without the words that only say that it is a request: `what is the process for updating a user` → `updating a user`. */
export function withoutFrame(sentence: string): string {
  const text = sentence.toLowerCase().replace(/[’]/g, "'");
  for (const form of REQUESTS) {
    const found = form.exec(text);
    if (found !== null && text.length === sentence.length)
      return sentence.slice(found[0].length - (found[1] as string).length);
  }
  return sentence;
}

function requestIn(text: string): { intent: Intent } | undefined {
  const verb = REQUESTS.map((form) => form.exec(text)?.[1]).find((word) => word !== undefined);
  if (verb === undefined) return undefined;
  const aside = WHILE.exec(text)?.[1];
  return {
    intent:
      BY_STEM.get(stem(verb)) ??
      (aside === undefined ? undefined : BY_STEM.get(stem(aside))) ??
      (NO_DEED.has(verb) ? undefined : 'write'),
  };
}

function readRequest(intent: Intent, text: string): SentenceIntent {
  const reads = intent !== undefined && intent !== 'start' && !isWriting(intent);
  return { intent: asksForAll(intent, text) ? 'list' : intent, question: reads, plain: intent !== undefined };
}

export interface SentenceIntent {
  intent: Intent;
  /** Its verb is known, or it has none. */
  plain: boolean;
  /** It has no known verb: it may name a thing, or be an order with a verb that nobody foresaw. */
  bare?: boolean;
  /** Phrased as a question, so it wants to read. */
  question: boolean;
}

export function intentOf(sentence: string): SentenceIntent {
  const text = sentence.toLowerCase().replace(/[’]/g, "'");
  const request = requestIn(text);
  if (request !== undefined) return readRequest(request.intent, text);
  const later = asksLater(text);
  const asks = later || ASKS.test(text);
  const verb = later || OPEN_QUESTION.test(text) ? undefined : verbIn(text);
  const measured = measuredIn(text);
  if (verb === 'start' || isWriting(verb)) return { intent: verb, question: false, plain: true };
  if (measured !== undefined) return { intent: measured, question: true, plain: verb !== undefined };
  if (verb !== undefined) return { intent: asksForAll(verb, text) ? 'list' : verb, question: true, plain: true };
  if (asks) return { intent: /^\W*which\b/.test(text) ? 'list' : 'read', question: true, plain: false };
  if (STATES_AN_INTENT.test(text) || orders(text)) return { intent: undefined, question: false, plain: false };
  // A bare noun phrase names what to look at.
  return { intent: 'read', question: false, plain: true, bare: true };
}

/** A statement with a person or a verb in it may want anything. */
const STATES_AN_INTENT =
  /\b(should|must|needs?|wants?|please|pls|plz|let|make|may|shall|will|is|are|was|were|has|have|had|cannot|gets?|goes|go|comes?|keeps?|stays?|no longer|any ?more|again|never|i|we|he|she|they|you|instead|away|back|off|out)\b|n't\b|[a-z]'(s|re|ve|ll|d)\b/;

const ALL = /\b(all|every|each|lists? of)\b/;

const asksForAll = (verb: Intent, text: string) => (verb === 'read' || verb === 'get') && ALL.test(text);

function measuredIn(text: string): Intent {
  if (COUNTS.test(text)) return 'count';
  if (RESULTS.test(text)) return 'result';
  if (TRENDS.test(text)) return 'trend';
  if (TOPS.test(text)) return 'top';
  if (REFERENCES.test(text)) return 'references';
  if (HISTORY.test(text)) return 'history';
  return undefined;
}

/** The verb the sentence stands on: its first word but for what is polite, else one behind a marker. */
function verbIn(text: string): Intent {
  if (FOR_ME.test(text)) return 'read';
  if (/\bget rid of\b/.test(text)) return 'delete';
  if (NOUN.test(text)) return undefined;
  const last = ORDER.test(text) ? undefined : BY_WORD.get(ORDER_AT_LAST.exec(text)?.[1] ?? '');
  if (last !== undefined && isWriting(last)) return last;
  const words = text.match(/[a-z]+(?:'[a-z]+)?/g) ?? [];
  const first = words.findIndex((word) => !LEAD.has(word) && !word.endsWith('ly'));
  const bag = words.length > 3 && isBag(text) ? verbOfBag(words) : undefined;
  if (bag !== undefined) return bag;
  if (describesMany(words.slice(first))) return undefined;
  return BY_WORD.get(words[first] ?? '') ?? verbBehindMarker(words);
}

/** Behind `and` only where no other marker has one. */
function verbBehindMarker(words: readonly string[]): Intent {
  let found: Intent;
  for (let i = 1; i < words.length; i++) {
    if (!MARKER.has(words[i - 1] as string)) continue;
    const intent = BY_WORD.get(words[i] as string);
    // A sentence such as "Anna should see X" asks to give it to her.
    if (intent === undefined || (words[i - 1] === 'should' && !isWriting(intent) && intent !== 'start')) continue;
    if (words[i - 1] !== 'and') return intent;
    found ??= intent;
  }
  return found;
}

/** Words that are verbs elsewhere: `share of guests`, `reboot records of the appliance`. */
const NOUN =
  /^\W*(?:(?:share|order|start|trace|release) of|(?:reboot|restart|lock|run|start|upgrade) (?:records?|status|state|logs?|history|reasons?|times?)|change (?:records?|logs?|history))\b/;

/** A thing to give to the person who asks is a read: `send me the list`, but not `send the list`. */
const FOR_ME =
  /^\W*(?:(?:please|pls|plz|can you|could you|would you|and|then|now|just) )*(?:give|send|mail|bring|get|pull|draw|hand|write|print) (?:me|us)\b/;

/** `open support cases of …`: before a bare plural it is no verb. */
function describesMany([first = '', ...rest]: readonly string[]): boolean {
  if (first !== 'open') return false;
  const end = rest.findIndex((word) => FUNCTION_WORD.test(word));
  const phrase = end < 0 ? rest : rest.slice(0, end);
  return /[^su]s$|ies$/.test(phrase.at(-1) ?? '');
}

const FUNCTION_WORD =
  /\b(a|an|the|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|to|of|in|on|at|for|from|with|by|that|this|my|our|we|i|you|it|and)\b/;
/** Words without a sentence. */
const isBag = (text: string): boolean => !FUNCTION_WORD.test(text.toLowerCase());

/** Verbs that are hardly ever part of a noun, the surest first. */
const SURE: readonly [RegExp, Intent][] = [
  [/^(delete|remove)$/, 'delete'],
  [/^(create|add)$/, 'create'],
  [/^replace$/, 'replace'],
  [/^(update|change|modify|edit)$/, 'update'],
  [/^(search|find)$/, 'search'],
  [/^(start|run)$/, 'start'],
  [/^count$/, 'count'],
  [/^list$/, 'list'],
  [/^(get|show|export)$/, 'get'],
];

/** Words without a sentence: a verb may stand anywhere. */
function verbOfBag(words: readonly string[]): Intent {
  return SURE.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1];
}

/** How surely a sentence carries the intent of the text it stands in. */
export function urgencyOf(sentence: string): number {
  const text = sentence.toLowerCase();
  const words = text.match(/[a-z]+/g) ?? [];
  return (
    (/\?\W*$/.test(text) ? 2 : 0) +
    (BY_WORD.has(words.find((word) => !LEAD.has(word)) ?? '') || orders(text) ? 1.5 : 0) +
    (OPEN_QUESTION.test(text) ? 0.5 : 0)
  );
}
