/** Where approvals lie, so that any replica can take the answer: text by id, replaced only by whoever knows what was there. */

export interface ApprovalStore {
  /** False where there is one of this id. `keptUntil` in ms since 1970. */
  create: (id: string, text: string, keptUntil: number) => Promise<boolean>;
  read: (id: string) => Promise<string | undefined>;
  /** Replaces the text if it still is `before`; false if somebody else replaced or removed it. */
  replace: (id: string, before: string, after: string, keptUntil: number) => Promise<boolean>;
  /** Ids of all that are kept. */
  ids: () => Promise<string[]>;
  /** Forgets what is past its time. */
  prune: () => Promise<void>;
}
