/**
 * Tells a service of the operator that an approval waits: a signed POST, tried a few times. It holds the id, the tool and
 * the link, and nothing of the request; whoever reads it has to sign in to see more.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { WebhookSettings } from '../config/approval-settings.ts';
import { keyCommand, mustBePrivateKeyFile } from '../config/private-path.ts';
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { Approval } from './approval.ts';

export interface WebhookOptions extends WebhookSettings {
  egress: Pick<Egress, 'fetch'>;
  logger: Logger;
  pausesMs?: readonly number[];
}

/** Pauses before the second try and the ones after it. */
const PAUSES_MS = [1_000, 5_000, 30_000];
const ANSWER_MS = 5_000;

export class ApprovalWebhook {
  readonly #options: WebhookOptions;
  readonly #key: string;

  /** Throws CONFIG_INVALID for a key file that is not there, is empty, or that others may read. */
  constructor(options: WebhookOptions) {
    this.#options = options;
    this.#key = webhookKey(options.keyPath);
    options.logger.secrets.hold('approval-webhook', [this.#key]);
  }

  /** Ends when it was taken, or when nothing helped; no call waits for it. */
  async tell({ id, tool, destructive, askedAt, expiresAt }: Approval, link: string | undefined): Promise<void> {
    const body = JSON.stringify({
      event: 'approval.asked',
      id,
      tool,
      destructive,
      asked_at: new Date(askedAt).toISOString(),
      expires_at: new Date(expiresAt).toISOString(),
      ...(link === undefined ? {} : { url: link }),
    });
    const pauses = this.#options.pausesMs ?? PAUSES_MS;
    for (let tried = 0; ; tried++) {
      const problem = await this.#send(body);
      if (problem === undefined) return;
      const pause = pauses[tried];
      if (pause === undefined)
        return this.#options.logger.warn('approval-webhook.failed', { approval: id, ...problem });
      await new Promise((resolve) => setTimeout(resolve, pause).unref());
    }
  }

  async #send(body: string): Promise<Record<string, unknown> | undefined> {
    const { url, egress } = this.#options;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', this.#key).update(`${timestamp}.${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'svc-mcp-timestamp': timestamp,
      'svc-mcp-signature': `v1=${signature}`,
    };
    try {
      const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(ANSWER_MS) };
      const response = await egress.fetch(url, init, { named: new Set([new URL(url).origin]) });
      await response.body?.cancel();
      return response.ok ? undefined : { status: response.status };
    } catch (error) {
      return errorFields(error);
    }
  }
}

/** Throws CONFIG_INVALID for a key file that is not there, is too short, or that others may read. */
export function webhookKey(path: string): string {
  mustBePrivateKeyFile(path);
  let key = '';
  try {
    key = readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new RouterError(
      'CONFIG_INVALID',
      `${path} should hold the key of the approval webhook and could not be read`,
      { cause },
    );
  }
  if (key.length >= 32) return key;
  throw new RouterError('CONFIG_INVALID', `${path} should hold a key of at least 32 characters, got ${key.length}`, {
    remedy: keyCommand(path),
  });
}
