/** The one script: it takes the part of a page that is live anew when the console says that something changed. Pages work without it. */
export const LIVE_SCRIPT = `(() => {
  const part = document.querySelector('[data-live]');
  if (!part || !window.EventSource) return;
  const source = new EventSource('/live');
  let again = false, busy = false;
  const renew = async () => {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
      if (!answer.ok) { source.close(); return; }
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const next = page.querySelector('[data-live]');
      const now = document.querySelector('[data-live]');
      if (next && now && !now.contains(document.activeElement)) now.replaceWith(document.adoptNode(next));
    } catch {} finally {
      busy = false;
      if (again) { again = false; renew(); }
    }
  };
  source.addEventListener('changed', renew);
  source.addEventListener('ended', () => source.close());
})();
`;
