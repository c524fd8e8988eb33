/**
 * Verbs in verb position of a GET: first word of the operationId, last literal segment of the path, first word of the summary.
 * Many of them are nouns as well (`/release`, `/blocks/{id}`, "Reset times"), so a verb counts by how sure its position makes
 * it. Every lookup is in a `Set` or `Map`: a document may hold `constructor` or `__proto__` wherever it holds a word.
 */
import type { Capability } from '../access/access-policy.ts';

export interface Verb {
  capability: Extract<Capability, 'write' | 'destructive'>;
  word: string;
  where: 'operationId' | 'last path segment' | 'path' | 'summary' | 'query';
}

/** What takes away, and what interrupts service: a raised class costs one more question, a missed one an outage. */
export const DESTROYS: ReadonlySet<string> = new Set(
  (
    'delete remove destroy erase wipe zeroize purge truncate flush drop discard drain clear forget ' +
    'reboot restart reload reset shutdown halt stop suspend bounce upgrade downgrade factory terminate kill ' +
    'disconnect deauthenticate deauth unauthorize contain block blacklist revoke release disable ' +
    'unassign unassociate dissociate unregister deregister undeploy uninstall uninvite decommission rollback revert ' +
    'reinstall reimage rebuild prune expunge shred kick ban evict deprovision unprovision deallocate unmount unmap unbind ' +
    'unenroll undefine teardown offboard disassociate untag deauthorize'
  ).split(' '),
);

/** No noun of a resource: these raise wherever they stand in verb position. */
const SURE = new Map<string, Verb['capability']>([
  ...(
    'delete del remove rm destroy erase wipe zeroize purge truncate flush discard forget unlink nuke ' +
    'reboot restart reload shutdown poweroff powerdown powercycle powerreset turnoff switchoff factoryreset factorydefault ' +
    'factorydefaults factoryrestore hardreset softreset coldboot warmboot halt terminate kill ' +
    'disconnect deauthenticate deauth unauthorize revoke disable deactivate hangup ' +
    'unassign unassociate dissociate unregister deregister undeploy uninstall uninvite decommission rollback revert reinstall reimage ' +
    'expunge disassociate untag deprovision unprovision deallocate unmount unmap unbind unenroll undefine offboard ' +
    // The same in other languages, without accents.
    'loschen loesche loesch losche loeschen entfernen neustart neustarten abschalten ausschalten herunterfahren zurucksetzen zuruecksetzen ' +
    'sperren supprimer effacer redemarrer desactiver arreter eliminar borrar reiniciar apagar desactivar suprimir excluir ' +
    'remover desligar desativar reinicializar eliminare elimina cancellare riavviare riavvia spegnere spegni disattivare ' +
    'verwijderen verwijder herstarten uitschakelen usun usunac wylacz smazat odstranit restartovat silmek sil slett slette ' +
    'radera ta_bort poista slet удалить удали перезагрузить перезагрузка отключить выключить сбросить стереть ' +
    '削除 再起動 停止 初期化 删除 刪除 移除 重启 重啟 关机 關機 禁用 삭제 재부팅 종료 حذف מחק'
  )
    .split(' ')
    .map((word): [string, Verb['capability']] => [word, 'destructive']),
  ...(
    'create insert add save enable activate rename submit approve cancel refresh logout logoff signout increment decrement ' +
    'poweron turnon switchon unsubscribe reassign upsert rotate renew provision redeem originate ' +
    'rescan resync migrate optimize toggle cordon uncordon acknowledge ' +
    'erstellen anlegen andern aendern speichern creer ajouter modifier activer crear agregar anadir modificar activar criar adicionar ' +
    'ativar creare aggiungere aggiungi modificare attivare создать добавить изменить включить 作成 追加 更新 创建 添加 修改 启用'
  )
    .split(' ')
    .map((word): [string, Verb['capability']] => [word, 'write']),
]);

/** Verbs more often than nouns: they raise unless the operationId, or without one the summary, begins with a reading verb. */
const LIKELY = new Map<string, Verb['capability']>([
  ...'reset clear stop suspend unblock drain bounce downgrade quarantine eject evict detach expire abort isolate deny failover switchover flash rebuild empty void cycle kick'
    .split(' ')
    .map((word): [string, Verb['capability']] => [word, 'destructive']),
  ...'start set unlock resume reject modify apply attach execute trigger move send join leave connect retry exec dial wake ack pay generate regenerate'
    .split(' ')
    .map((word): [string, Verb['capability']] => [word, 'write']),
]);

/** Nouns as often as verbs: they raise where two positions agree, or where a determiner makes the summary's word a verb. */
const EITHER = new Map<string, Verb['capability']>([
  ...'block blacklist release drop contain upgrade ban restore format'
    .split(' ')
    .map((word): [string, Verb['capability']] => [word, 'destructive']),
  ...'update lock publish install deploy sync merge commit import invite assign register subscribe run change replace edit verify issue claim pair refund transfer arm'
    .split(' ')
    .map((word): [string, Verb['capability']] => [word, 'write']),
]);

const READS: ReadonlySet<string> = new Set(
  (
    'get list show fetch read retrieve find search query describe view check count return lookup download see display browse ' +
    'obtain inspect load select enumerate is has index all'
  ).split(' '),
);
const DETERMINERS: ReadonlySet<string> = new Set(
  'a an the all any this these that one your my our its specified given existing selected current every each multiple'.split(
    ' ',
  ),
);
/** Behind a verb they make a name of it: reboot history, shutdown status, restart policy. */
const HEADS: ReadonlySet<string> = new Set(
  (
    'status state states history log logs policy policies reason reasons count counts statistics stats schedule schedules ' +
    'queue marker markers protection request requests event events time times window windows behavior options option info ' +
    'details results result report reports notes list lists jobs candidates progress'
  ).split(' '),
);
/** Words around a verb that leave it one: force-reboot, delete_now. */
const AROUND: ReadonlySet<string> = new Set(
  'force forced bulk batch mass soft hard do async now all immediate immediately permanently safe quick graceful confirm'.split(
    ' ',
  ),
);
const TAILS = /(?:all|now|it|me|one|devices?|system|host|node|users?|items?)$/;
/** Parameters by which an address that does many things is told which. */
const SELECTORS: ReadonlySet<string> = new Set(
  'action act cmd command op operation method verb do task func function'.split(' '),
);
/** Those whose values, where none is listed, are no names of things: a `task` or an `operation` may be one. */
const FREE: ReadonlySet<string> = new Set('action act cmd command verb do'.split(' '));

/** Words as written, one for each part of a name: `devices:powerOff` has devices, power, off. */
export function wordsOf(text: string): string[] {
  return decoded(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/(?<=\p{L})\d+$/u, ''))
    .filter((word) => word !== '');
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}

export const literalSegments = (path: string): string[] =>
  path.split('/').filter((part) => part !== '' && !/^\{[^{}]*\}$/.test(part));

export interface Stated {
  path: string;
  operationId: string | null;
  summary?: string | undefined;
  /** Parameters of path and query with the values they may have, where their schema lists them. */
  choices?: readonly Choice[] | undefined;
}

export interface Choice {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  values: readonly string[];
}

/** The verb for which a GET is not taken as a plain read; undefined where there is none. */
export function changingVerb({ path, operationId, summary, choices = [] }: Stated): Verb | undefined {
  const ids = operationId === null ? [] : verbPositions(operationId);
  const said = wordsOf((summary ?? '').slice(0, 200));
  const segments = literalSegments(path).map(segmentWords);
  const last = segments.at(-1) ?? [];
  const reads = ids.length > 0 ? ids.some(([first]) => isReading(first)) : isReading(said[0]);
  return (
    strongest(ids.map((words) => sure(words, 'operationId', reads) ?? surePair(words, 'operationId', reads))) ??
    sure(last, 'last path segment', reads) ??
    surePair([...(segments.at(-2) ?? []), ...last], 'last path segment', reads) ??
    sureSummary(said, reads) ??
    strongest(
      segments.slice(0, -1).map((words) => (reads || words.length > 1 ? undefined : sure(words, 'path', reads))),
    ) ??
    strongest(ids.map((words) => likely(words, 'operationId', false))) ??
    likely(last, 'last path segment', reads) ??
    (reads ? undefined : agreed(ids, last, said)) ??
    selected(choices, reads)
  );
}

/** Where a name has its verb: at its start, behind a tag (`users/delete`, `users.delete`), in `Users_Delete`. */
function verbPositions(operationId: string): string[][] {
  const whole = decoded(operationId);
  const tagged = whole.split(/[/.:#]/).at(-1) ?? '';
  const pascal = /^\p{Lu}[\p{L}\p{N}]*_(\p{Lu}[\p{L}\p{N}]*)$/u.exec(tagged)?.[1];
  return [whole, tagged, ...(pascal === undefined ? [] : [pascal])].map(wordsOf).filter((words) => words.length > 0);
}

/** A custom method (`devices:reboot`) is a segment's verb; a file ending and what follows a semicolon are not its words. */
function segmentWords(segment: string): string[] {
  const plain = decoded(segment)
    .replace(/;.*$/s, '')
    .replace(/\{[^{}]*\}/g, ' ')
    .replace(/\.(?:cgi|php|do|asp|aspx|jsp|json|xml|html?|action)$/i, '');
  const words = wordsOf(plain.split(':').at(-1) ?? '');
  return words.length > 0 ? words : wordsOf(plain);
}

/** Things, not what is done. */
const ADD_ONS = /^addons?$/;

function sure(words: readonly string[], where: Verb['where'], reads: boolean): Verb | undefined {
  const first = words.find((word) => !AROUND.has(word)) ?? '';
  const at = words.indexOf(first);
  const compact = words.join('');
  const pair = `${first}${words[at + 1] ?? ''}`;
  const named = words.length > 1 && HEADS.has(words.at(-1) as string);
  for (const word of ADD_ONS.test(pair) ? [] : [first, pair, compact, first.replace(TAILS, '')]) {
    const capability = SURE.get(word);
    if (capability !== undefined && !(named && reads)) return { capability, word, where };
  }
  // `user_delete`, `cache-flush`: often the name of a setting, so a reading verb elsewhere decides.
  const end = words.at(-1) ?? '';
  const capability = where === 'last path segment' && !reads ? SURE.get(end) : undefined;
  return capability && { capability, word: end, where };
}

/** `vmPowerOff`, and `/power/off` in two segments. */
function surePair(words: readonly string[], where: Verb['where'], reads: boolean): Verb | undefined {
  if (reads) return undefined;
  for (const [at, next] of words.slice(1).entries()) {
    const word = `${words[at]}${next}`;
    const capability = SURE.get(word);
    if (capability !== undefined) return { capability, word, where };
  }
  return undefined;
}

function sureSummary(text: readonly string[], reads: boolean): Verb | undefined {
  const said = behindManner(text);
  const [first = '', second = ''] = said;
  const determined = DETERMINERS.has(second);
  for (const word of [first, `${first}${second}`, ...(first === '' ? [] : bases(first))]) {
    const capability = SURE.get(word) ?? (determined ? (LIKELY.get(word) ?? EITHER.get(word)) : undefined);
    if (capability === undefined) continue;
    const plural = word !== first && !word.startsWith(first);
    // "Refreshes tokens" is a verb, "Reloads" alone may be a list of them; "Delete markers of an object" names them.
    if ((plural && !determined && said.length < 2) || (HEADS.has(second) && reads)) continue;
    return { capability, word: first, where: 'summary' };
  }
  return undefined;
}

/** `deletes` and `refreshes` as `delete` and `refresh`. */
function bases(word: string): string[] {
  return [word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')].filter((base) => base !== word);
}

function likely(words: readonly string[], where: Verb['where'], reads: boolean): Verb | undefined {
  const meant = words.filter((word) => !AROUND.has(word));
  const [first = ''] = meant;
  const capability = LIKELY.get(first);
  const alone = where === 'operationId' ? !HEADS.has(meant.at(-1) ?? '') : meant.length === 1;
  return capability !== undefined && alone && !reads ? { capability, word: first, where } : undefined;
}

function agreed(ids: readonly string[][], last: readonly string[], said: readonly string[]): Verb | undefined {
  const starts = [ids.map(([first = '']) => first), [last.length === 1 ? (last[0] as string) : ''], [said[0] ?? '']];
  for (const [word, capability] of [...EITHER, ...LIKELY])
    if (starts.filter((position) => position.includes(word)).length > 1)
      return { capability, word, where: 'last path segment' };
  return undefined;
}

function selected(choices: readonly Choice[], reads: boolean): Verb | undefined {
  for (const choice of choices) {
    // A list may be asked by what was done.
    if (!isSelector(choice.name) || (reads && !(choice.required && choice.in === 'query'))) continue;
    const verb = chosenVerb(choice) ?? (reads ? undefined : toldByCaller(choice));
    if (verb) return verb;
  }
  return undefined;
}

/** Whether a parameter or field of this name says what is to be done. */
export const isSelector = (name: string): boolean => SELECTORS.has(wordsOf(name).join(''));

/** Told what to do in words of the caller's, such as a line of a CLI: those may be any. */
function toldByCaller({ name, in: where, values, required }: Choice): Verb | undefined {
  const told = wordsOf(name).join('');
  return required && values.length === 0 && FREE.has(told) ? { capability: 'write', word: told, where } : undefined;
}

function chosenVerb({ in: where, values, required }: Choice): Verb | undefined {
  for (const value of values) {
    const words = wordsOf(value.split(/[.:/]/).at(-1) ?? '');
    const verb = sure(words, where, false) ?? likely(words, where, false);
    if (verb) return verb;
    // Told to do one thing, which no list of words knows (`Action=AcceptTransfer`): only a reading word makes it a read.
    const [word] = words;
    if (required && values.length === 1 && word !== undefined && !isReading(word))
      return { capability: 'write', word, where };
  }
  return undefined;
}

/** "Permanently delete", "Bulk delete users" from the verb on. */
function behindManner(said: readonly string[]): readonly string[] {
  const at = said.findIndex((word) => !AROUND.has(word));
  return at > 0 ? said.slice(at) : said;
}

/** Whether a word that tells an address what to do (`RESTART`, `power-off`) takes something away or interrupts it. */
export function destroys(value: string): boolean {
  const words = wordsOf(value.slice(0, 200));
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word}`);
  return [...words, ...pairs].some(
    (word) => DESTROYS.has(word) || (SURE.get(word) ?? LIKELY.get(word)) === 'destructive',
  );
}

/** The verb with which the description of a change begins, where it is one that takes away: "Permanently deletes …". */
export function destroyingVerb(description: string): string | undefined {
  const [first = ''] = behindManner(wordsOf(description.slice(0, 200)));
  return [first, ...bases(first)].some((word) => SURE.get(word) === 'destructive') ? first : undefined;
}

const isReading = (word: string | undefined) =>
  word !== undefined && (READS.has(word) || READS.has(word.replace(/s$/, '')));

/** Whether a text begins with what is done, as "Creates a geofence" does and "One can use circles" does not. */
export function beginsWithVerb(text: string): boolean {
  const [first = ''] = wordsOf(text.split(' ', 1)[0] ?? '');
  return [first, ...bases(first)].some(
    (word) => SURE.has(word) || LIKELY.has(word) || EITHER.has(word) || READS.has(word),
  );
}

const strongest = (verbs: readonly (Verb | undefined)[]): Verb | undefined =>
  verbs.find((verb) => verb?.capability === 'destructive') ?? verbs.find((verb) => verb !== undefined);
