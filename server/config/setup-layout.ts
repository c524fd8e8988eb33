/** Where the setup puts what it writes and the doctor looks for it, below the working folder. None of it is in git. */
export const LAYOUT = {
  env: '.env',
  secrets: 'secrets',
  bearer: 'secrets/mcp_http_bearer_token',
  credentials: 'config/credentials.yaml',
  /** Identity only, for containers; every secret is a file of its own. */
  containerCredentials: 'secrets/credentials.yaml',
  clients: {
    stdio: 'config/clients/stdio.json',
    http: 'config/clients/http.json',
    'http-env': 'config/clients/http-env.json',
    editor: 'config/clients/editor.json',
    toml: 'config/clients/config.toml',
  },
  overlay: 'config/compose.overlay.yaml',
} as const;

/** Where the secret of an account lies, by the naming of this project. */
export function secretFileOf(section: string, field: string): string {
  return `${LAYOUT.secrets}/${section}_${field}`;
}
