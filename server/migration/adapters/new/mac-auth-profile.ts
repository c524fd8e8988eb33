/** MAC-auth profile. */
import { bareLoginProfile } from './bare-login-profile.ts';

export default bareLoginProfile({ noun: 'mac_auth_profile', key: 'name', profileType: 'macauth' });
