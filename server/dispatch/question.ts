/** The question to the approver before writes are sent: the whole requests, in as many named parts as they need. */
import { type ExactRequest, requestText } from './exact-request.ts';

/** One message to the person, of at most so many characters as the operator allows. */
export interface QuestionPart {
  message: string;
  /** Objects whose name the person has to type: those of the destructive requests in this part, in their order. */
  objects: readonly string[];
}

export interface Question {
  /** Digest of the requests. An answer counts only for a question with the same digest. */
  subject: unknown;
  /** Keyed digest of all requests; the yes is bound to it. */
  digest: string;
  /** The person has to agree to every part. */
  parts: readonly QuestionPart[];
}

export interface TooLarge {
  /** Characters of the shortest message that would hold it. */
  characters: number;
  limit: number;
  /** The request that does not fit, counted from 1. */
  request: number;
}

const OBJECT = 'DESTRUCTIVE: type the name after confirm_object to confirm.';

/** The parts of a question; or what does not fit, because nothing is ever cut. `limit` in characters for each part. */
export function questionParts(
  requests: readonly ExactRequest[],
  digest: string,
  limit: number,
  about?: string,
): readonly QuestionPart[] | TooLarge {
  const texts = requests.map(requestText);
  const groups = groupsWithin(
    texts,
    (group, of) => messageOf({ requests, texts, digest, about }, group, of).length,
    limit,
  );
  if (!Array.isArray(groups)) return groups;
  return groups.map((group, index) =>
    partOf({ requests, texts, digest, about }, group, { part: index + 1, parts: groups.length }),
  );
}

/** The same in one part, where there is room for any length. */
export function wholePart(requests: readonly ExactRequest[], digest: string, about?: string): QuestionPart {
  const asked = { requests, texts: requests.map(requestText), digest, about };
  return partOf(asked, { from: 0, until: requests.length }, { part: 1, parts: 1 });
}

function partOf(asked: Asked, group: Group, of: PartOf): QuestionPart {
  const objects = asked.requests.slice(group.from, group.until).flatMap(destroyed);
  return { message: messageOf(asked, group, of), objects };
}

/** Requests of one part: from this index on, up to but without that one. */
interface Group {
  from: number;
  until: number;
}

/** As many requests in each part as have room. The number of parts is part of the text, so its width is assumed. */
function groupsWithin(
  texts: readonly string[],
  lengthOf: (group: Group, of: PartOf) => number,
  limit: number,
): Group[] | TooLarge {
  const whole = { from: 0, until: texts.length };
  if (lengthOf(whole, { part: 1, parts: 1 }) <= limit) return [whole];
  const widest = { part: texts.length, parts: texts.length };
  const groups: Group[] = [];
  let from = 0;
  while (from < texts.length) {
    let until = from + 1;
    const characters = lengthOf({ from, until }, widest);
    if (characters > limit) return { characters, limit, request: from + 1 };
    while (until < texts.length && lengthOf({ from, until: until + 1 }, widest) <= limit) until++;
    groups.push({ from, until });
    from = until;
  }
  return groups;
}

interface PartOf {
  part: number;
  parts: number;
}

interface Asked {
  requests: readonly ExactRequest[];
  texts: readonly string[];
  digest: string;
  about: string | undefined;
}

function messageOf({ requests, texts, digest, about }: Asked, { from, until }: Group, { part, parts }: PartOf): string {
  const own = requests.slice(from, until);
  const warning = own.some(({ tool }) => tool.capability === 'destructive') ? [OBJECT] : [];
  const subject = about === undefined ? [] : [about];
  const [only] = requests;
  if (texts.length === 1 && only)
    return [
      `Send this ${only.tool.capability} request to ${only.tool.platform}?`,
      ...subject,
      ...warning,
      `Digest: ${digest}`,
      texts[0],
    ].join('\n');
  const named = parts === 1 ? '' : ` Part ${part} of ${parts}: requests ${from + 1} to ${until}.`;
  const blocks = texts
    .slice(from, until)
    .map((text, i) => `\n== Request ${from + i + 1} of ${texts.length} ==\n${text}`);
  return [
    `Send these ${texts.length} requests, in this order? One yes is for all of them.${named}`,
    ...subject,
    ...warning,
    `Digest: ${digest}`,
    ...blocks,
  ].join('\n');
}

const destroyed = ({ tool, object }: ExactRequest): string[] => (tool.capability === 'destructive' ? [object] : []);
