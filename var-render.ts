import { readFileSync, writeFileSync } from 'node:fs';
import { tryPage } from './harness/try/try-page.ts';

for (const f of ['two--ask', 'router', 'plain']) {
  const r = JSON.parse(readFileSync(`/tmp/try-out/${f}/try.json`, 'utf8'));
  const rec = readFileSync(`/tmp/try-out/${f}/recordings.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((l) => JSON.parse(l));
  const page = await tryPage('/tmp/wt/try', r, rec);
  writeFileSync(`/tmp/try-out/${f}/try.html`, page);
  console.log(f, page.length, r.rows.length);
}
