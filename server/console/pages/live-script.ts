/**
 * The one script: it takes the live parts of a page anew when the console says that something changed, and says so when it no
 * longer can. A part is replaced only where the console sends another one than before, so what was typed stays. A page that is
 * not seen holds no stream: a browser opens six connections to a host, and tabs full of streams would leave none for an answer.
 * Pages work without it.
 */
export const LIVE_SCRIPT = `(() => {
  const parts = () => [...document.querySelectorAll('[data-live]')];
  const state = document.querySelector('#live');
  if (!state || !window.EventSource) return;
  const LOST = 'The router does not answer: this page may be out of date.';
  const OVER = 'This page no longer follows what happens.';
  let source;
  let shown = parts().map((part) => part.innerHTML);
  let again = false, busy = false, said = '';
  const say = (text) => {
    if (text === said) return;
    said = text;
    state.replaceChildren();
    if (text === '') return;
    const line = document.createElement('p'), link = document.createElement('a');
    line.className = 'warn';
    link.href = location.href;
    link.textContent = 'Load it again';
    line.append(text + ' ', link);
    state.append(line);
  };
  const end = () => { source?.close(); say(OVER); };
  const keyOf = (part) => part.getAttribute('href') ?? part.getAttribute('aria-label') ?? part.id;
  const replace = (part, next) => {
    const focused = part.contains(document.activeElement) ? keyOf(document.activeElement) : undefined;
    part.replaceChildren(...document.adoptNode(next).childNodes);
    if (focused === undefined) return;
    const same = [...part.querySelectorAll('a, input, [tabindex]')].find((one) => keyOf(one) === focused);
    if (same) same.focus({ preventScroll: true });
  };
  const renew = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
      if (!answer.ok) { end(); return; }
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const next = [...page.querySelectorAll('[data-live]')], now = next.map((part) => part.innerHTML);
      parts().forEach((part, at) => { if (next[at] && now[at] !== shown[at]) replace(part, next[at]); });
      shown = now;
      say('');
    } catch { say(LOST); } finally {
      busy = false;
      if (again) { again = false; renew(); }
    }
  };
  const follow = () => {
    source = new EventSource('/live');
    source.addEventListener('changed', renew);
    source.addEventListener('ended', end);
    source.addEventListener('error', () => { if (said !== OVER) say(source.readyState === EventSource.CLOSED ? OVER : LOST); });
  };
  document.addEventListener('visibilitychange', () => {
    source?.close();
    if (document.hidden || said === OVER) return;
    follow();
    renew();
  });
  if (!document.hidden) follow();
})();
`;
