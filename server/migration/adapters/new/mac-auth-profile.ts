/** MAC-auth profile. */
import { bareLoginProfile } from './bare-login-profile.ts';

export default bareLoginProfile('macauth');
