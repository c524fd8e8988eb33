/** Sentences that fit the row they stand in: what an alarm says is not what an audit log says. */
import { kindOf } from './kind-names.ts';
import type { TextField } from './semantic-text.ts';
import {
  AUDIT_MESSAGES,
  FABRIC_PURPOSES,
  FAULTS,
  MEANINGS,
  MESSAGES,
  NOTICES,
  PRODUCTS,
  PURPOSES,
  REASONS,
  RELEASE_NOTES,
  ROLE_PURPOSES,
  RULE_PURPOSES,
  SERVICE_PURPOSES,
} from './word-pools.ts';

const rowKind = ({ row }: TextField) => kindOf(String(row[2] ?? '')).join(' ');

/** What a message of the row says. */
export function messageFor(field: TextField): string {
  const kind = rowKind(field);
  if (/audit|log$|change|action|history|activity/.test(kind)) return field.dice.pick(AUDIT_MESSAGES);
  if (/maintenance|banner|notice|announcement|window|release/.test(kind)) return field.dice.pick(NOTICES);
  return field.dice.pick(MESSAGES);
}

/** A further fact beside a kind or a result. */
export function detailFor(field: TextField): string {
  return field.dice.pick(/check|test|probe|result|session|login|auth|access/.test(rowKind(field)) ? REASONS : MESSAGES);
}

/** What an object is for. */
export function aboutFor(field: TextField): string {
  const kind = rowKind(field);
  if (
    /^(column|field|parameter|variable|attribute|metric|counter|dimension)$/.test(
      field.holder.at(-1) ?? kind.split(' ').at(-1) ?? '',
    )
  )
    return field.dice.pick(MEANINGS);
  if (/hotfix|patch|image|release|update|software|firmware/.test(kind)) return field.dice.pick(RELEASE_NOTES);
  if (/order|line|sku|product|part|offer|catalogue/.test(kind)) return field.dice.pick(PRODUCTS);
  if (/permission|right/.test(kind)) return 'Needed to see such objects and to change them';
  if (/case|rma|ticket|fault|incident/.test(kind)) return field.dice.pick(FAULTS);
  const pool = /role|admin|user|right/.test(kind)
    ? ROLE_PURPOSES
    : /rule|acl|policy|filter|condition|exception|restriction/.test(kind)
      ? RULE_PURPOSES
      : /key|token|client|webhook|integration|connector|stream|account|receiver|sink|server|service/.test(kind)
        ? SERVICE_PURPOSES
        : field.row[1] === 'fabric'
          ? FABRIC_PURPOSES
          : PURPOSES;
  return field.dice.pick(pool);
}
