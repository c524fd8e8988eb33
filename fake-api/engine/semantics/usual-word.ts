/** Which word of several a network that works shows most: a state is mostly a good one, a fault is rare. */
import type { Dice } from '../state/determinism.ts';

const GOOD =
  /^(ok|up|online|active|enabled?|connected|healthy|good|normal|ready|running|complete[d]?|succeeded|success(ful)?|pass(ed)?|valid|(in ?)?sync(hroni[sz]ed|ed)?|available|reachable|established|approved|accepted|compliant|allow(ed)?|permit(ted)?|full|inspected|committed|applied|current|delivered|licensed|registered|subscribed|met|clean|fine|assigned|installed|deployed|operational|generally available|general|showtime|forwarding|activated|provisioned|adopted|trusted|none found|l2 connected)$/;
const RARE =
  /unknown|suspicious|poor|^other$|unspecified|undetermined|invalid|degrad|fail|error|\bdown\b|offline|unreachable|suspend|revoked|expired|abort|cancel|malicious|\blost\b|emergency|quarantin|denied|stale|orphan|blocked|disconnected|not started|broken|absent|missing|locked|faulty|unsupported|unlicensed|grace|lab test|alpha|^(training|acquiring|pulling|discovering|initiali[sz]ing|init|negotiating|isolated|free ?run(ning)?)$/;
const LIKELY = 6;
const RARELY = 0.35;

const weights = new WeakMap<readonly unknown[], readonly number[]>();

function weightsOf(words: readonly unknown[]): readonly number[] {
  const known = weights.get(words);
  if (known !== undefined) return known;
  // Where a session is established, any other state is on the way there.
  const onTheWay = words.some((word) => /^established$/i.test(String(word)));
  // Most of what can be done is done; little of it runs just now.
  const isWork = words.some((word) => /^(completed?|succeeded|success|done|finished|ready)$/i.test(String(word)));
  const found = words.map((word) => {
    if (word === null) return 0;
    const weight = isWork && UNDER_WAY.test(String(word)) ? 0.5 : weightOf(String(word));
    return onTheWay && !/^established$/i.test(String(word)) ? Math.min(weight, RARELY) : weight;
  });
  weights.set(words, found);
  return found;
}

const UNDER_WAY =
  /^(running|in.?progress|starting|started|packing|recording|collecting|executing|queued|pending|waiting)$/i;
/** The campus is in Ireland and Northern Ireland, and pays in euros. */
const NEAR = /^(eu|europe|emea|uk|gb|ie|ireland|dublin|london)\b|^eur$|\b(eu|europe)$/;
const FAR =
  /^(us|na|ap|apac|me|sa|latam|asia|america|africa|australia|jp|au|in|br|ca|sg)( (north|south|east|west|central|northeast|southeast|northwest|southwest|oceania|gov)\w*| \d)?$|^(usd|jpy|aud|cad|chf|sek|cny|inr)$/;

function weightOf(word: string): number {
  const plain = word
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]+/g, ' ')
    .toLowerCase();
  if (GOOD.test(plain) || NEAR.test(plain)) return LIKELY;
  if (FAR.test(plain) || /^(gre|esp|ah|igmp|ospf|sctp|pim|icmpv? ?6?|icmpv6)$/.test(plain)) return 0.05;
  if (/^tcp$/.test(plain)) return LIKELY;
  return RARE.test(plain) ? RARELY : 1;
}

/** One word of an enumeration, the usual ones more often than the rare. */
export function usualWord(words: readonly unknown[], dice: Dice): unknown {
  const each = weightsOf(words);
  let left = dice.unit() * each.reduce((sum, weight) => sum + weight, 0);
  const at = each.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return words[at < 0 ? words.length - 1 : at];
}

const RARELY_TRUE =
  /^(blocked|nullroute|shutdown|disabled?|deleted|archived|expired|revoked|failed|locked|quarantined|suspended|deprecated|stale|degraded|dropped|rejected|refused|violated|missing|lost|conflict|override|overridden|debug|evaluation|trial|hidden|rogue|truncated|paused|active maintenance|muted|newly|infected|compromised|hostile|spoofed|conflicting|timed|bypass|bypassed|overloaded|breached|exhausted|orphaned|silent|stopped)$/;
const MOSTLY_TRUE =
  /^(enabled?|active|reachable|connected|valid|online|healthy|trusted|compliant|synchronised|synchronized|succeeded|successful|complete|running|configured|verified|licensed|supported|available|allowed|assigned|registered|up|alive|reached|present|sane|known|ok|managed|provisioned|ready|sync|fulfilled)$/;

/** Fields that hold something only after a fault. */
const AFTER_FAULT =
  /^(threat|malware|attack|virus|error|errors|failure|fault|problem|problems|conflict|conflicts|paused|suspended|archived|deleted|cancelled|override|overridden|retired|locked|blocked|snoozed|held|quarantined|muted|suppressed|cleared|revoked|skipped|rejected)$/;

const nullShares = new Map<readonly string[], number>();

/** How often a field that may be null is, by the words of its name. */
export function nullShare(name: readonly string[]): number {
  const known = nullShares.get(name) ?? nullShareOf(name);
  nullShares.set(name, known);
  return known;
}

function nullShareOf(name: readonly string[]): number {
  if (name.at(-1) === 'name') return 0.05;
  return name.some((word) => AFTER_FAULT.test(word)) ? 0.75 : 0.18;
}

const truthShares = new Map<readonly string[], number>();

/** True or false as such a field mostly is. */
export function usualTruth(name: readonly string[], dice: Dice): boolean {
  const known = truthShares.get(name) ?? truthShareOf(name);
  truthShares.set(name, known);
  return dice.unit() < known;
}

function truthShareOf(name: readonly string[]): number {
  if (name.some((word) => RARELY_TRUE.test(word))) return 0.12;
  return MOSTLY_TRUE.test(name.at(-1) ?? '') || MOSTLY_TRUE.test(name[0] ?? '') ? 0.88 : 0.5;
}
