/** Sentences and phrases that people write about a network: reasons, notes, purposes, messages. */

export const REASONS = [
  'authentication timed out',
  'no answer from the server',
  'power was lost',
  'link went down',
  'certificate not trusted',
  'address pool is exhausted',
  'wrong passphrase',
  'device restarted',
  'tunnel keep-alive lost',
  'configuration was rejected',
] as const;

export const NOTES = [
  'replaced after the flood in the comms room',
  'moved for the renovation of the second floor',
  'agreed with the facilities team',
  'temporary until the new switch arrives',
  'keep until the audit in spring',
  'reviewed in the weekly change meeting',
  'requested by the ward manager',
  'spare unit on the shelf',
] as const;

export const PURPOSES = [
  'staff laptops and phones',
  'guests in public areas',
  'printers and badge readers',
  'cameras of the car park',
  'infusion pumps and monitors',
  'voice over wireless',
  'building control',
  'scanners in the warehouse',
  'management of switches and access points',
  'uplinks to the data centre',
] as const;

export const MESSAGES = [
  'Clients cannot reach the authentication server',
  'Access point has not reported for ten minutes',
  'Uplink utilisation is above its threshold',
  'Address pool is nearly used up',
  'Tunnel to the data centre is down',
  'Firmware differs from the approved release',
  'Certificate expires within thirty days',
  'Port is flapping',
] as const;

export const ADVICE = [
  'Check the cable and the port at the far end',
  'Renew the certificate before it expires',
  'Enlarge the address pool or shorten the lease',
  'Bring the firmware to the approved release',
  'Move some clients to another access point',
] as const;

export const AUDIT_MESSAGES = [
  'Changed the passphrase of Harbour-Guest',
  'Added VLAN 40 to the access ports of hq-sw-02',
  'Moved two access points to North Depot',
  'Raised the DHCP lease time to eight hours',
  'Signed in from 198.51.100.24',
  'Removed an unused port profile',
] as const;

export const NOTICES = [
  'Maintenance on Sunday from 22:00, short interruptions of Wi-Fi are possible',
  'New release with fixes for roaming, planned for the next window',
  'The portal is read-only during the move of the database',
  'Planned work on the uplink of Mill Clinic',
] as const;

export const ROLE_PURPOSES = [
  'Read access for the help desk',
  'Full access for network operations',
  'May restart devices and see clients',
  'Only reports and dashboards',
  'Contractors, until the end of the project',
] as const;

export const RULE_PURPOSES = [
  'Guests reach the internet and nothing else',
  'Printers may be reached from staff networks',
  'Medical devices talk to their servers only',
  'Keeps management addresses out of client networks',
  'Wanted by the audit of last autumn',
] as const;

export const SERVICE_PURPOSES = [
  'Sends alarms to the ticket system',
  'Reads the inventory every night',
  'Used by the monitoring of the data centre',
  'Archives the logs for a year',
  'Test instance, may be switched off',
] as const;

export const FABRIC_PURPOSES = [
  'Leafs of the storage racks',
  'Border towards the campus core',
  'Servers of the clinic applications',
  'Lab rack for new releases',
  'Management network out of band',
] as const;

/** What people write when they open a case. */
export const FAULTS = [
  'No link after the power cut of Tuesday',
  'Second radio stays silent since the upgrade',
  'Fan is loud and stops at times',
  'Restarts every night at about two',
] as const;

/** What a column, an attribute or a figure holds. */
export const MEANINGS = [
  'Address of the client',
  'Name of the access point',
  'Reason given by the server',
  'Mean over five minutes',
  'Bytes in both directions',
  'Site that the device belongs to',
] as const;

export const RELEASE_NOTES = [
  'Fixes a restart of the RADIUS service under load',
  'Closes a hole in the web server of the device',
  'Faster roaming between floors',
  'Corrects the power class of some phones',
] as const;

/** What a metric is. */
export const FIGURES = [
  'Mean over five minutes',
  'Share of attempts that failed',
  'Nineteen of twenty were faster',
  'Highest of the hour',
] as const;
