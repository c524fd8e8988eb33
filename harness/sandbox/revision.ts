/** Revisions of the protocol (MCP) that the harness speaks as a client, and what a request of the later one carries. */
import { CLIENT_INFO } from './protocol-client.ts';

/** Oldest first. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

const META = 'io.modelcontextprotocol';

/** What each request of 2026-07-28 says about its sender. */
export const senderMeta = (capabilities: object = {}): Record<string, unknown> => ({
  [`${META}/protocolVersion`]: '2026-07-28',
  [`${META}/clientInfo`]: CLIENT_INFO,
  [`${META}/clientCapabilities`]: capabilities,
});
