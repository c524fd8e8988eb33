/** The one account that the fake knows; it protects nothing. */
export const CLIENT = { client_id: 'demo-client', client_secret: 'demo-secret' };
/** What platforms take that know no client: a fixed token, or a person's name and password. */
export const OTHERS = { api_token: 'demo-token', username: 'demo', password: CLIENT.client_secret };
