/** What a lint looks at and what it says. Each rule stands with its kind: fields, structure, words. */
import type { ExpandedDocument } from '../assemble-document.ts';
import type { Platform } from '../model/platform-folder-model.ts';

export interface Finding {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
}

export interface LintedPlatform {
  readonly platform: Platform;
  readonly expanded: readonly ExpandedDocument[];
}

export type LintRule = (linted: LintedPlatform) => Finding[];
