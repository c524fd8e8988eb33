/** The one account of every namespace and platform. It guards nothing: the whole fake is a stand-in. */
export const CLIENT_ID = 'demo-client';
export const CLIENT_SECRET = 'demo-secret';
export const USERNAME = 'demo';
export const PASSWORD = 'demo-secret';
/** Token of the platforms that hand none out. */
export const API_TOKEN = 'demo-token';
