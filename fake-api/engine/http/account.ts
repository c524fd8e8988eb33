/** The one account of every namespace and platform. It guards nothing: the whole fake is a stand-in. */
export const CLIENT_ID = 'demo-client';
export const CLIENT_SECRET = 'demo-secret';
export const USERNAME = 'demo';
export const PASSWORD = 'demo-secret';
/** Token of the platforms that hand none out. */
export const API_TOKEN = 'demo-token';
/** What opens a platform, each of them by what its documents ask for. */
export const ACCOUNTS = `client ${CLIENT_ID} / ${CLIENT_SECRET}, user ${USERNAME} / ${PASSWORD}, token ${API_TOKEN}`;

/** Anything that goes on after a dash is taken as well: each client can have a secret of its own. */
export const isSecret = (text: string | null | undefined): boolean => isOneOf(CLIENT_SECRET, text);
export const isApiToken = (text: string | null | undefined): boolean => isOneOf(API_TOKEN, text);

function isOneOf(known: string, text: string | null | undefined): boolean {
  return text === known || text?.startsWith(`${known}-`) === true;
}
