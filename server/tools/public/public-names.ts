/**
 * Names of the tools that this router itself lists, in one place: the tools take theirs from here, and no platform of a user
 * may have a name by which one of its operations would be called the same. Imports nothing, so that a command that builds a
 * catalog need not load the tools.
 */
export const FIND_TOOL = 'find_tool';
export const INVOKE_READ_TOOL = 'invoke_read_tool';
export const INVOKE_TOOL = 'invoke_tool';

/** Short name → the tool it stands for, with the same arguments. */
export const SAME_ARGUMENTS: Readonly<Record<string, string>> = {
  list_sites: 'mgmt_list_sites',
  get_site: 'mgmt_get_site',
  list_devices: 'mgmt_list_devices',
  list_clients: 'mgmt_list_clients',
  list_alerts: 'mgmt_list_alerts',
  list_wlans: 'mgmt_list_wlans',
  lookup_api: 'lookup_api',
};
/** Short name → the search it stands for. */
export const SEARCHES: Readonly<Record<string, string>> = {
  find_device: 'mgmt_search_devices',
  find_client: 'mgmt_search_clients',
};
export const LIST_SCOPES = 'list_scopes';

export const WRAPPER_NAMES: readonly string[] = [
  ...Object.keys(SAME_ARGUMENTS),
  ...Object.keys(SEARCHES),
  LIST_SCOPES,
].sort();

export const PUBLIC_NAMES: readonly string[] = [FIND_TOOL, INVOKE_READ_TOOL, INVOKE_TOOL, ...WRAPPER_NAMES];
