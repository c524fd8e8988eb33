/** A file that is attached to a support ticket of the SD-WAN is counted in it. */
import { changeRow } from '../changed-row.ts';
import type { Subject, TaskCall, Values } from '../platform-behaviour.ts';

export function attachToTicket(of: TaskCall, ticket: Subject | null): Values {
  if (of.operationId !== 'attachSupportTicket' || ticket === null) return {};
  const attachments = Number(ticket.values['attachments'] ?? 0) + 1;
  changeRow(of, ticket.resource.name, ticket.id, { attachments });
  return { attachments };
}
