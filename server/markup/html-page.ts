import { createHash } from 'node:crypto';
import { escapeMarkup } from './escape.ts';

export interface HtmlPage {
  /** Plain text. */
  title: string;
  style: string;
  /** Markup; whoever makes it escapes what comes from others. */
  body: string;
  /** The only script that the page runs. */
  script?: string;
}

/** A page for any browser, in one file. Its content security policy lets it load nothing from a network. */
export function htmlPage({ title, style, body, script = '' }: HtmlPage): string {
  const digest = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; style-src 'unsafe-inline'${script === '' ? '' : `; script-src 'sha256-${digest}'`}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeMarkup(title)}</title>
<style>${style}</style></head><body>
${body}
${script === '' ? '' : `<script>${script}</script>`}</body></html>
`;
}
