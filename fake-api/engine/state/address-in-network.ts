/** Whether an IPv4 address lies in a network that is written as `10.10.0.0/16`; no for text of any other form. */
import { BlockList, isIPv4 } from 'node:net';

export function isInNetwork(address: unknown, network: unknown): boolean {
  const [start = '', length = ''] = String(network).split('/');
  if (!isIPv4(start) || !isIPv4(String(address)) || !/^\d{1,2}$/.test(length) || Number(length) > 32) return false;
  const subnet = new BlockList();
  subnet.addSubnet(start, Number(length));
  return subnet.check(String(address));
}
