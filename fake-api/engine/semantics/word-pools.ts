/** Names and words that a network of this kind contains. None of them belongs to a real company or person. */

export const GIVEN_NAMES = [
  'Aoife',
  'Brendan',
  'Caitlin',
  'Declan',
  'Eimear',
  'Fiona',
  'Gavin',
  'Hannah',
  'Imran',
  'Jana',
  'Kwame',
  'Laura',
  'Marek',
  'Niamh',
  'Oisin',
  'Priya',
  'Quinn',
  'Rory',
  'Sofia',
  'Tomas',
  'Una',
  'Victor',
  'Wen',
  'Yasmin',
  'Zofia',
] as const;

export const FAMILY_NAMES = [
  'Adeyemi',
  'Byrne',
  'Costa',
  'Doyle',
  'Evans',
  'Farrell',
  'Gallagher',
  'Hughes',
  'Ivanov',
  'Joyce',
  'Kelly',
  'Lynch',
  'Murphy',
  'Nolan',
  'Okafor',
  'Patel',
  'Quigley',
  'Reilly',
  'Sharma',
  'Tobin',
  'Usman',
  'Vaughan',
  'Walsh',
  'Young',
] as const;

export const DEPARTMENTS = [
  'Facilities',
  'Finance',
  'Human Resources',
  'IT Operations',
  'Logistics',
  'Nursing',
  'Pharmacy',
  'Radiology',
  'Reception',
  'Research',
  'Security',
  'Teaching',
] as const;

export const COMPANIES = [
  'Ashgrove Consulting',
  'Bluebell Facilities',
  'Corrib Print',
  'Dunmore Electrical',
  'Elm Park Catering',
  'Foyle Logistics',
  'Glenview Medical',
  'Kilbride Security',
] as const;

/** Parts of a building, for text that says where something is. */
export const ROOMS = [
  'Reception',
  'Lecture hall A',
  'Meeting room 2.14',
  'Comms room 1',
  'Comms room 2',
  'Ward 3',
  'Loading dock',
  'Canteen',
  'Open office east',
  'Open office west',
  'Laboratory 1',
  'Library',
  'Car park',
  'Staff room',
] as const;

export const PLACES = ['hq', 'depot', 'clinic', 'campus', 'branch', 'dc1', 'lab', 'guest', 'staff', 'backup'] as const;

export const TEAMS = ['network-ops', 'helpdesk', 'security-team', 'facilities-it', 'wireless-team'] as const;

export const SSIDS = [
  'Harbour-Staff',
  'Harbour-Guest',
  'Harbour-Things',
  'Harbour-Voice',
  'Clinic-Care',
  'Depot-Scan',
] as const;

export const OPERATING_SYSTEMS = [
  'Windows 11',
  'macOS 15',
  'Android 15',
  'iOS 18',
  'Ubuntu 24.04',
  'ChromeOS 131',
] as const;

export const OS_VERSIONS = ['11.0.26100', '15.2', '15.0', '18.2', '24.04', '131.0.6778'] as const;

export const VENDORS = [
  'Northwind Devices',
  'Alder Mobile',
  'Brightline Computers',
  'Castor Imaging',
  'Delta Sensors',
] as const;

export const DEVICE_KINDS = [
  'Laptop',
  'Smartphone',
  'Tablet',
  'Printer',
  'IP Phone',
  'Camera',
  'Badge Reader',
  'Infusion Pump',
] as const;

export const APPLICATIONS = [
  'Video meetings',
  'Web browsing',
  'Mail',
  'File sharing',
  'Voice calls',
  'Patient records',
  'Software updates',
  'Name resolution',
  'Remote desktop',
  'Streaming video',
] as const;

export const MODELS = [
  'AX-720',
  'AX-540',
  'AX-310',
  'SX-800-48',
  'SX-500-24',
  'SX-300-24',
  'GX-70',
  'GX-40',
  'GX-20',
] as const;

export const RELEASES = ['10.6.0.2', '10.6.0.3', '10.7.1.0', '10.7.1.1', '10.7.2.0', '10.8.0.0'] as const;

export const INTERFACES = [
  '1/1/1',
  '1/1/2',
  '1/1/7',
  '1/1/12',
  '1/1/24',
  '1/1/48',
  '2/1/1',
  '2/1/3',
  'lag10',
  'vlan20',
] as const;

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

export const CITIES = [
  { city: 'Dublin', country: 'Ireland', code: 'IE', zone: 'Europe/Dublin', latitude: 53.35, longitude: -6.26 },
  { city: 'Drogheda', country: 'Ireland', code: 'IE', zone: 'Europe/Dublin', latitude: 53.72, longitude: -6.35 },
  { city: 'Newry', country: 'United Kingdom', code: 'GB', zone: 'Europe/London', latitude: 54.18, longitude: -6.34 },
  { city: 'Galway', country: 'Ireland', code: 'IE', zone: 'Europe/Dublin', latitude: 53.27, longitude: -9.05 },
  { city: 'Belfast', country: 'United Kingdom', code: 'GB', zone: 'Europe/London', latitude: 54.6, longitude: -5.93 },
] as const;

export const STREETS = [
  '4 Harbour Street',
  '18 Boyne Road',
  '2 Mill Lane',
  '31 Quay Parade',
  '7 Canal Walk',
  '12 Abbey Square',
] as const;

export const SERVICE_HOSTS = [
  'radius-1',
  'radius-2',
  'dns-1',
  'syslog',
  'ntp',
  'ldap',
  'proxy',
  'portal',
  'backup',
  'collector',
] as const;

export const COUNTIES = ['Leinster', 'Louth', 'Down', 'Connacht', 'Antrim'] as const;

export const ADVICE = [
  'Check the cable and the port at the far end',
  'Renew the certificate before it expires',
  'Enlarge the address pool or shorten the lease',
  'Bring the firmware to the approved release',
  'Move some clients to another access point',
] as const;

/** Keys of texts on pages and in templates. */
export const TEXT_KEYS = ['login.title', 'login.submit', 'terms.accept', 'error.expired', 'guest.welcome'] as const;

export const CONFIG_LINES = [
  'ntp server ntp.harbour.example',
  'logging host syslog.harbour.example',
  'spanning-tree portfast',
  'ip dhcp snooping vlan 20',
  'no ip http server',
] as const;

export const CONFIG_PATHS = ['/md', '/md/campus', '/md/campus/clinic', '/md/campus/depot', '/mm'] as const;

export const PART_NUMBERS = [
  'AX720E1',
  'AX540E1',
  'AX310E1',
  'SX848E1',
  'SX524E1',
  'SX324E1',
  'GX070E1',
  'GX020E1',
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

export const CARRIERS = ['Liffey Fibre', 'Northlink Telecom', 'Boyne Broadband', 'Meridian Mobile'] as const;

export const PRODUCTS = [
  'Access point, indoor, three radios',
  'Access point, outdoor, two radios',
  'Switch, 48 ports with power, four uplinks',
  'Gateway for branches, two uplinks',
  'Subscription, three years',
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
