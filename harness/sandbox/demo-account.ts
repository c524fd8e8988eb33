const CLIENT = { client_id: 'demo-client', client_secret: 'demo-secret' };
/** What platforms take that know no client: a fixed token, or a person's name and password. */
const OTHERS = { api_token: 'demo-token', username: 'demo', password: CLIENT.client_secret };

/** The one account that the fake knows, as an entry of a credentials file; it protects nothing. */
export const demoAccount = (baseUrl: string) => ({
  base_url: baseUrl,
  ...CLIENT,
  ...OTHERS,
  workspace_id: 'workspace-1',
});

/** What of it must never come out of a subject; the password is the same text as the client's secret. */
export const ACCOUNT_SECRETS = { client_secret: CLIENT.client_secret, api_token: OTHERS.api_token };
