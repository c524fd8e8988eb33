/** `preview-reads:` of a resource: what is counted before something irreversible is done to an item. */
import type { Spot } from './model-file.ts';

/** `{of: clients, by: wlan, with: {status: CONNECTED}, how: are connected to it}`: a count of one resource for a key of another. */
export interface PreviewRead {
  readonly spot: Spot;
  /** Resource that is counted. */
  readonly of: string;
  /** Its field that holds the key of this resource. */
  readonly by: string;
  readonly with: ReadonlyMap<string, string>;
  /** Verb phrase behind the number: `are connected to it`. */
  readonly how: string;
}

export function readPreviewReads(spot: Spot | undefined): PreviewRead[] {
  return (spot?.list() ?? []).map((each) => {
    const at = each.mapping(['of', 'by', 'with', 'how']);
    const need = (key: string): Spot => at.get(key) ?? each.fail(`the key ${key}`, 'none');
    return {
      spot: each,
      of: need('of').text(),
      by: need('by').text(),
      with: new Map([...(at.get('with')?.mapping() ?? [])].map(([name, value]) => [name, value.text()])),
      how: need('how').text(),
    };
  });
}
