/** A token of the fake for a server that has no logins of its own. */
export async function tokenOf(base: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-client',
    client_secret: 'demo-secret',
  });
  const answer = await fetch(`${base}/as/token`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}
