/**
 * The shown description of an operation, composed from structured parts and never copied from free text:
 * verb phrase, object, scope and realm; what sets it apart; key or filters; effect. 25 to 60 words.
 */
import { sentence } from '../model/name-spelling.ts';
import type { Platform } from '../model/platform-folder-model.ts';
import type { Operation } from './modelled-operation.ts';

/** How the contrast of a delete begins that is refused while other objects refer to this one. */
export const refusedWhileUsed = 'Remove; refused while';

export const fewestWords = 25;
export const mostWords = 60;

export function describe(operation: Operation, platform: Platform): string {
  const first = firstSentence(operation, platform);
  const contrast = sentence(contrastOf(operation));
  const handle = sentence(operation.words.handle);
  const effect = effectOf(operation);
  const filler = fillerOf(operation);
  const candidates = [
    [first, contrast, handle, effect],
    [first, contrast, effect],
    [withoutBrackets(first), contrast, effect],
    [withoutBrackets(first), shortened(contrast), effect],
  ];
  const fitting = candidates.find((parts) => wordCount(parts) <= mostWords) ?? candidates.at(-1)!;
  const enough = wordCount(fitting) >= fewestWords ? fitting : [...fitting.slice(0, -1), filler, fitting.at(-1)!];
  return enough.filter((part) => part !== '').join(' ');
}

export function firstSentence(operation: Operation, platform: Platform): string {
  const { opening, joint } = operation.words;
  const { where } = operation.resource.model;
  const realm = [platform.model.phrase, operation.resource.document.realm].filter((word) => word !== '').join(' ');
  // What follows a colon or semicolon explains the act; where it takes place belongs before it.
  const [, act = opening, explanation = ''] = /^(.*?)([:;] .*)?$/.exec(opening) ?? [];
  // An act that ends in a preposition or an adverb would run into the place.
  const place = DANGLING.test(act) ? `, ${joint} the ${realm}` : ` ${joint} the ${realm}`;
  return sentence([act, where].filter((part) => part !== '').join(' ') + place + explanation);
}

const DANGLING = / (it|from|with|by|to|on|in|again|out|off|differs|up|down|back|there|them)$/;

export function contrastOf(operation: Operation): string {
  const { twin } = operation.resource.model;
  const text = operation.wording.distinguish ?? operation.words.contrast;
  return twin ? `${sentence(text)} ${sentence(twin.note)}` : text;
}

function effectOf(operation: Operation): string {
  switch (operation.capability) {
    case 'read':
      return operation.words.poll === 'result' ? 'Read-only; ask again until the state is final.' : 'Read-only.';
    case 'diagnostic':
      return `Diagnostic, does not change configuration${operation.words.poll === 'start' ? '; poll the result' : ''}.`;
    case 'write':
      return 'Changes configuration; dry-run by default.';
    case 'destructive': {
      const { model } = operation.resource;
      const impact = operation.wording.impact ?? model.impact;
      if (!impact) return model.spot.fail(`the key impact for the destructive ${operation.id}: who loses what`, 'none');
      // Where nothing may use the object any more, nobody loses but the one who would use it again.
      if (operation.words.contrast.startsWith(refusedWhileUsed)) return 'Destructive: its settings are lost for good.';
      return `Destructive: ${impact.replace(/\.$/, '')}.`;
    }
  }
}

/** Further fields, for an operation whose structured parts are too few words to be found by. */
function fillerOf(operation: Operation): string {
  const { distinguish } = operation.resource.model;
  // What is deleted or counted is not shown, so what sets it apart says more than its fields.
  if (/^(delete|bulk-delete|count)$/.test(operation.kind)) return sentence(distinguish);
  const said = `${operation.words.opening} ${operation.words.contrast} ${operation.words.handle}`.toLowerCase();
  const names = operation.words.filler
    .map((field) =>
      field.name
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .replace(/[-_]+/g, ' ')
        .toLowerCase(),
    )
    .filter((name) => !said.includes(name));
  const verb = operation.capability === 'read' ? 'Also holds' : 'Its fields are';
  return sentence(names.length > 0 ? `${verb} ${names.slice(0, 8).join(', ')}` : distinguish);
}

function withoutBrackets(text: string): string {
  return text.replace(/ \([^)]*\)/, '');
}

function shortened(text: string): string {
  return sentence(text.split(/[;:]|\. /)[0] ?? text);
}

export function wordCount(parts: readonly string[]): number {
  return parts
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '').length;
}
