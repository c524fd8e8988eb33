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

export const CARRIERS = ['Liffey Fibre', 'Northlink Telecom', 'Boyne Broadband', 'Meridian Mobile'] as const;

export const PRODUCTS = [
  'Access point, indoor, three radios',
  'Access point, outdoor, two radios',
  'Switch, 48 ports with power, four uplinks',
  'Gateway for branches, two uplinks',
  'Subscription, three years',
] as const;
