import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { htmlPage } from './html-page.ts';

test('a page escapes its title, loads nothing, and runs no script', () => {
  const page = htmlPage({ title: '<a> & "b"', style: 'p { color: red; }', body: '<p>text</p>' });
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(page).toContain('<title>&lt;a&gt; &amp; &quot;b&quot;</title>');
  expect(page).not.toContain('<script');
});

test('a page runs exactly the script that it was made with', () => {
  const script = 'document.title = "x";';
  const digest = createHash('sha256').update(script).digest('base64');
  const page = htmlPage({ title: '', style: '', body: '', script });
  expect(page).toContain(`script-src 'sha256-${digest}'`);
  expect(page).toContain(`<script>${script}</script></body>`);
});
