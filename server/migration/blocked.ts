/** Why an entry of a run waits: nothing is sent for it, and once the cause is gone it is tried again. */

export const BLOCKED = {
  'secret-missing': 'bring it in target_secrets, with every call',
  'secret-too-long': 'a secret has at most 1,024 characters',
  'secret-unfit': 'bring one that the target takes, such as a passphrase of 8 characters or more',
  'secret-redacted': 'bring the secret itself, not what stands in its place',
  'secret-not-asked-for': 'leave out what the entry does not list under required_secret_names',
  'dependency-absent': 'choose what it depends on as well, or make it by hand and leave the entry out',
  'dependency-waiting': 'see what stands in the way of that one',
  'precondition-missing': 'make what it names at the target first, or leave the entry out',
  'object-exists': 'conflict_policy skip-existing or update, or leave it out',
  'object-differs': 'make them equal, choose conflict_policy update where it can be changed, or leave it out',
  'target-unreadable': 'try again when the target answers',
  'dry-run-first': 'call without dry_run: false first',
  'dry-run-only': 'it is shown and never written: make it by hand',
} as const;

export type BlockedBy = keyof typeof BLOCKED;

export const blockedBy = (code: BlockedBy, message: string): string => `${code}: ${message}`;
