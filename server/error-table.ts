/**
 * Every coded error of the router in one table: the code we write in logs and on the command line, the code a client
 * sees, the HTTP-like status, the outcome label that metrics count, what to do next, and the exit code where the error
 * ends a process.
 */

/** The closed outcome vocabulary of metrics and audit. */
export type Outcome =
  | 'success'
  /** A tool of the router answered, and said what it lacks for a full answer. */
  | 'degraded'
  | 'error'
  | 'exception'
  | 'cancelled'
  | 'timeout'
  | 'blocked'
  | 'declined'
  | 'confirmation_required'
  | 'confirmation_unavailable'
  | 'forbidden'
  | 'not_found'
  | 'failed'
  | 'failure';

export interface ErrorRow {
  wire: string;
  status: number;
  outcome: Outcome;
  remedy: string;
  /** 2 = the operator asked for something impossible, 3 = the surroundings are broken. */
  exit?: 2 | 3;
}

const row = (wire: string, status: number, outcome: Outcome, remedy: string, exit?: 2 | 3): ErrorRow => ({
  wire,
  status,
  outcome,
  remedy,
  ...(exit === undefined ? {} : { exit }),
});

export const ERRORS = {
  // ending a process
  USAGE: row('usage', 400, 'error', 'run the command with --help', 2),
  CONFIG_INVALID: row('config_invalid', 400, 'error', 'correct the variable and start again', 2),
  CONFIG_CONTRADICTION: row('config_contradiction', 400, 'error', 'remove one of the two settings', 2),
  PRINCIPALS_INVALID: row(
    'principals_invalid',
    400,
    'error',
    'correct the file named by SVC_MCP_PRINCIPALS_PATH; a running router keeps the principals that it had',
    2,
  ),
  UNSAFE_HTTP_BINDING: row(
    'unsafe_http_binding',
    400,
    'error',
    'bind to 127.0.0.1, or set MCP_ALLOWED_HOSTS and MCP_ALLOWED_ORIGINS with <host>:* entries',
    2,
  ),
  PLATFORM_FILE_INVALID: row('platform_file_invalid', 500, 'error', 'correct the platform file', 3),
  NAME_RESERVED: row('name_reserved', 400, 'error', 'choose another name for your platform', 2),
  DOCUMENTS_MISSING: row('documents_missing', 500, 'error', 'npm run catalog', 3),
  DOCUMENT_INVALID: row('document_invalid', 500, 'error', 'correct the document, then npm run catalog', 3),
  OVERRIDE_UNMATCHED: row('override_unmatched', 500, 'error', 'correct or remove the override in the platform file', 3),
  CATALOG_INVALID: row('catalog_invalid', 500, 'error', 'npm run catalog', 3),
  CATALOG_TOO_SMALL: row('catalog_too_small', 500, 'error', 'npm run catalog, or lower --min-tools', 3),
  PORT_IN_USE: row('port_in_use', 500, 'error', 'stop the other process or set MCP_PORT (0 picks a free one)', 3),
  STATE_UNAVAILABLE: row(
    'state_unavailable',
    503,
    'error',
    'make SVC_MCP_STATE_DIR a folder that this router may write, on a volume all its replicas share',
    3,
  ),
  REDIS_REFUSED: row(
    'redis_refused',
    503,
    'error',
    'correct SVC_MCP_REDIS_URL, the password in SVC_MCP_REDIS_PASSWORD_PATH, or the Redis itself',
    3,
  ),
  DISK_UNUSABLE: row(
    'disk_unusable',
    500,
    'error',
    'free space there, give this user the right to write there, or name another folder (SVC_MCP_CATALOG_DIR, SVC_MCP_STATE_DIR, TOKEN_CACHE_DIR)',
    3,
  ),
  TARGET_REFUSED: row(
    'target_refused',
    500,
    'error',
    'nothing was written: remove the link or file at this path, then run the command again',
    3,
  ),
  ARCHIVE_REFUSED: row(
    'archive_refused',
    500,
    'error',
    'the previous index is still in use: download the archive again from its publisher, and check its digest',
    3,
  ),
  DOWNLOAD_FAILED: row(
    'download_failed',
    502,
    'failed',
    'the previous index is still in use: check the address, its certificate and the network, then try again',
    3,
  ),
  OPERATOR_REFUSED: row(
    'operator_refused',
    401,
    'forbidden',
    'give the name and password of an operator; svc-mcp-approvals operator-add makes one',
    2,
  ),
  ANSWER_REFUSED: row('answer_refused', 409, 'error', 'look at the approval with svc-mcp-approvals show', 2),
  ADDRESS_UNAVAILABLE: row('address_unavailable', 500, 'error', 'set MCP_HOST to an address of this machine', 3),

  // refusing a call before anything is sent
  CREDENTIALS_INVALID: row(
    'credentials_missing',
    424,
    'error',
    'the operator corrects the credentials file named by CREDS_PATH',
  ),
  CREDENTIALS_MISSING: row(
    'credentials_missing',
    424,
    'error',
    'the operator adds the account to the credentials file named by CREDS_PATH; other platforms still answer',
  ),
  PLATFORM_NOT_CONFIGURED: row(
    'platform_not_configured',
    404,
    'not_found',
    'enable it with SVC_MCP_TOOLSETS or SVC_MCP_PRODUCTS and restart the router',
  ),
  UNKNOWN_TOOL: row('unknown_tool', 404, 'not_found', 'call find_tool and use a name from its answer'),
  ARGUMENTS_INVALID: row(
    'invalid_arguments',
    400,
    'error',
    'correct the argument at the pointer; find_tool with include_schema: true shows the schema',
  ),
  NO_SUCH_OBJECT: row(
    'no_such_object',
    404,
    'not_found',
    'nothing was sent: take the identifier from the matching list tool, then preview again',
  ),
  EGRESS_REFUSED: row(
    'egress_refused',
    403,
    'blocked',
    'nothing was sent: only the operator can name an origin, in the account (base_url, token_url) and in SVC_MCP_EGRESS where it is set',
  ),
  CURSOR_INVALID: row('invalid_cursor', 400, 'error', 'call again without a cursor'),
  WRITE_GATE_CLOSED: row('blocked', 403, 'blocked', 'only the operator of this router can open the gate'),
  PRINCIPAL_FORBIDDEN: row('forbidden', 403, 'forbidden', 'only the operator can widen what a principal may use'),
  SCOPE_MISSING: row(
    'insufficient_scope',
    403,
    'forbidden',
    'ask the authorization server for the scope that the message names',
  ),
  WRONG_DISPATCHER: row('blocked', 403, 'blocked', 'call it through invoke_tool'),
  GRANT_MISSING: row('blocked', 403, 'blocked', 'report this: a request reached the outbound client without a grant'),
  CONFIRMATION_REQUIRED: row(
    'confirmation_required',
    409,
    'confirmation_required',
    'preview with dry_run: true, then call again with dry_run: false, confirm: true and the plan_token of that preview',
  ),
  PLAN_TOKEN_REFUSED: row(
    'confirmation_required',
    409,
    'confirmation_required',
    'preview again with dry_run: true and use the plan_token of that preview once, unchanged, within its life',
  ),
  PLAN_TOKEN_USED: row(
    'confirmation_required',
    409,
    'confirmation_required',
    'read the object first: an earlier call with this plan_token may have been carried out; preview again only if the change is not there',
  ),
  PLAN_STALE: row(
    'plan_stale',
    409,
    'confirmation_required',
    'nothing was sent: preview again with dry_run: true, look at what changed, and use the new plan_token',
  ),
  APPROVAL_TOO_LARGE: row(
    'approval_too_large',
    413,
    'confirmation_unavailable',
    'nothing was sent: make the change in smaller requests; the operator may raise SVC_MCP_APPROVAL_MAX_CHARACTERS',
  ),
  CONFIRMATION_UNAVAILABLE: row(
    'confirmation_unavailable',
    409,
    'confirmation_unavailable',
    'connect a client that can elicit; the operator of this router may set SVC_MCP_APPROVALS=operator, and operators answer, or SVC_MCP_CONFIRMATION=token, and nobody is asked',
  ),
  APPROVAL_PENDING: row(
    'approval_pending',
    409,
    'confirmation_required',
    'nothing was sent yet: repeat exactly this call after an operator has answered; a new preview would be a new question',
  ),
  APPROVAL_EXPIRED: row(
    'approval_expired',
    409,
    'confirmation_required',
    'nothing was sent: no operator answered in time; preview again if the change is still wanted',
  ),
  APPROVAL_LIMIT: row(
    'too_many_approvals',
    429,
    'confirmation_unavailable',
    'nothing was sent: wait until operators have answered some of the open questions',
  ),
  WRITES_STOPPED: row(
    'writes_stopped',
    403,
    'blocked',
    'nothing was sent: an operator stopped all writes of this router; only an operator can resume them',
  ),
  OUTSIDE_WRITE_WINDOW: row(
    'outside_write_window',
    403,
    'blocked',
    'nothing was sent: preview it again in the maintenance window, at `opens_at`; only the operator of this router sets the windows',
  ),
  WRITE_QUOTA_USED_UP: row(
    'write_quota_used_up',
    429,
    'blocked',
    'nothing was sent: wait until `retry_at`; only the operator of this router can raise the quota',
  ),
  DECLINED: row('declined', 409, 'declined', 'do not retry unless the person asks for it'),
  AUDIT_UNWRITABLE: row(
    'audit_unavailable',
    503,
    'blocked',
    'nothing was sent: the operator must make room for the audit log named by SVC_MCP_AUDIT_LOG, or switch it off',
    3,
  ),
  REDIS_GONE: row(
    'state_unavailable',
    503,
    'blocked',
    'nothing was sent: try again when the Redis that the routers share answers; reads go on meanwhile',
  ),
  CANCELLED: row('cancelled', 409, 'cancelled', 'nothing was sent; call again when the person wants it'),

  // migration runs
  MIGRATION_EXPORT_INVALID: row(
    'invalid_export',
    400,
    'error',
    'give one export as JSON, or the config_path to read',
    2,
  ),
  MIGRATION_RUN_ID: row(
    'invalid_arguments',
    400,
    'error',
    'use 1 to 64 letters, digits, ".", "_" or "-", without ".."',
  ),
  MIGRATION_RUN_UNKNOWN: row('not_found', 404, 'not_found', 'list the runs, or create one'),
  MIGRATION_RUN_DIFFERS: row(
    'run_differs',
    409,
    'error',
    'choose another run_id: this one holds another plan or target',
  ),
  MIGRATION_RUN_DAMAGED: row('run_damaged', 500, 'error', 'examine the run file; move it away to create the run again'),
  MIGRATION_RUN_BUSY: row('run_busy', 409, 'error', 'wait for the other call, then read the run and call again'),
  MIGRATION_RUN_LOST: row(
    'run_lost',
    409,
    'error',
    'another call took the run over: read the run, then call again with the same arguments',
  ),
  MIGRATION_RUN_TOO_LARGE: row('run_too_large', 400, 'error', 'select fewer candidates for one run'),
  MIGRATION_DRY_RUN_FIRST: row(
    'dry_run_first',
    409,
    'error',
    'apply with dry_run: true first, then follow the next_action of its answer',
  ),
  MIGRATION_STORE_UNAVAILABLE: row(
    'state_unavailable',
    503,
    'blocked',
    'nothing was sent: make room for the runs below SVC_MCP_STATE_DIR, or make it writable',
  ),

  // what a platform answered, or failed to
  UPSTREAM_FORBIDDEN: row(
    'forbidden',
    403,
    'forbidden',
    'check the account in the credentials file and its role on the platform',
  ),
  UPSTREAM_NOT_FOUND: row('not_found', 404, 'not_found', 'check the identifiers with the matching list tool'),
  UPSTREAM_REJECTED: row('upstream_rejected', 400, 'error', 'read `data`: the platform says what it expected'),
  UPSTREAM_FAILED: row('upstream_error', 502, 'failed', 'try again later; the platform failed'),
  UPSTREAM_UNREACHABLE: row(
    'upstream_error',
    502,
    'failed',
    'check base_url in the credentials file and the network to it',
  ),
  UPSTREAM_BROKEN: row(
    'upstream_error',
    502,
    'failed',
    'try again; if it persists, check the proxies between the router and the platform',
  ),
  UPSTREAM_MALFORMED: row(
    'upstream_error',
    502,
    'failed',
    'check that base_url is the API and not a login page or a proxy',
  ),
  RATE_LIMITED: row('rate_limited', 429, 'failed', 'wait retry_after_seconds, then call again'),
  UPSTREAM_TOO_LARGE: row('upstream_error', 502, 'failed', 'ask for less: filter, or a smaller limit'),
  UPSTREAM_REDIRECTED: row(
    'upstream_error',
    502,
    'failed',
    'correct base_url: redirects are never followed with credentials',
  ),
  UPSTREAM_TIMEOUT: row('timeout', 504, 'timeout', 'ask for less, or try again later'),
  OUTCOME_UNKNOWN: row(
    'outcome_unknown',
    504,
    'failed',
    'the request may have been carried out and was not repeated: read the object back before doing anything else',
  ),
  NOT_APPLIED: row(
    'not_applied',
    502,
    'failed',
    'the object was read back and the change is not there: preview again before another try',
  ),
  INTERNAL: row('internal', 500, 'exception', 'report this with the router log'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;
