/** Reads of the pipeline, each to one value. An unknown state is an error, never an absence. */
import type { TargetPort } from '../../migration/target-port.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The target did not say what is there: nothing follows from it, neither that a write is needed nor that one came to nothing. */
export class Unread extends Error {}

export async function one(port: TargetPort, tool: string, args: Fields): Promise<Fields | undefined> {
  const answer = await port.read({ tool, arguments: args });
  if (answer.kind === 'unknown') throw new Unread(`${tool}: ${answer.message}`);
  return answer.kind === 'absent' ? undefined : (answer.value as Fields);
}

export async function listed(port: TargetPort, tool: string, args: Fields = {}): Promise<Fields[]> {
  const value = await one(port, tool, args);
  return (value?.['items'] as Fields[] | undefined) ?? [];
}

/** The record of a serial number in the inventory of an account. */
export const ownedDevice = async (port: TargetPort, serial: string): Promise<Fields | undefined> =>
  (await listed(port, 'workspace_list_devices', { filter: `serialNumber eq '${serial}'` })).find(
    ({ serialNumber }) => serialNumber === serial,
  );
