import type { Principal } from './principal.ts'

/** Returns the id of the grant by which an app acts for its user; null for sessions and API keys. */
export const grantIdOf = ({ app, credentialId }: Principal): string | null => (app ? credentialId : null)
