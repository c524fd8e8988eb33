/** Sentences that fit the row they stand in: what an alarm says is not what an audit log says. */
import { kindOf } from './kind-names.ts';
import {
  AUDIT_MESSAGES,
  FABRIC_PURPOSES,
  FAULTS,
  FIGURES,
  MEANINGS,
  MESSAGES,
  NOTES,
  NOTICES,
  PURPOSES,
  REASONS,
  RELEASE_NOTES,
  ROLE_PURPOSES,
  RULE_PURPOSES,
  SERVICE_PURPOSES,
} from './sentence-pools.ts';
import type { TextField } from './text-field.ts';
import { PRODUCTS } from './word-pools.ts';

const rowKind = ({ row }: TextField) => kindOf(String(row[2] ?? '')).join(' ');

/** What a message of the row says. */
export function messageFor(field: TextField): string {
  const kind = rowKind(field);
  if (/audit|log$|change|action|history|activity/.test(kind)) return field.dice.pick(AUDIT_MESSAGES);
  if (/maintenance|banner|notice|announcement|window|release/.test(kind)) return field.dice.pick(NOTICES);
  if (/transfer|request|invite|approval/.test(kind)) return field.dice.pick(NOTES);
  return field.dice.pick(MESSAGES);
}

/** A further fact beside a kind or a result. */
export function detailFor(field: TextField): string {
  return field.dice.pick(
    /check|test|probe|result|session|login|auth|access|failure|sso/.test(rowKind(field)) ? REASONS : MESSAGES,
  );
}

/** Texts about objects, by the kind of their row; the first that fits. */
const ABOUT: readonly (readonly [kind: RegExp, texts: readonly string[]])[] = [
  [/audit|\blog$|activity/, AUDIT_MESSAGES],
  [/metric|figure/, FIGURES],
  [/(column|field|parameter|variable|attribute|counter|dimension)$/, MEANINGS],
  [/alarm|alert|anomaly|event|incident|issue/, MESSAGES],
  [/hotfix|patch|image|release|update|software|firmware/, RELEASE_NOTES],
  [/order|line|sku|product|part|offer|catalogue/, PRODUCTS],
  [/permission|right/, ['Needed to see such objects and to change them']],
  [/case|rma|ticket|fault/, FAULTS],
  [/role|admin|user/, ROLE_PURPOSES],
  [/rule|acl|policy|filter|condition|exception|restriction/, RULE_PURPOSES],
  [/key|token|client|webhook|integration|connector|stream|account|receiver|sink|server|service/, SERVICE_PURPOSES],
];

/** What an object is for. */
export function aboutFor(field: TextField): string {
  const kind = [rowKind(field), ...field.holder].join(' ');
  const [, texts = field.row[1] === 'fabric' ? FABRIC_PURPOSES : PURPOSES] =
    ABOUT.find(([test]) => test.test(kind)) ?? [];
  return field.dice.pick(texts);
}
